import type { JsonSchema } from '../request/json-schema.js';

const isSecret = ({ format }: JsonSchema) => format === 'password';

type Example = Readonly<Record<string, unknown>>;

/** An example of a request, which is valid once the secrets are added. */
interface RequestExample {
  /** The required fields that are not secret, and the fields that the schema's own example has. */
  readonly shortest: Example;
  /** The names of the secret fields, which the example does not have. */
  readonly secrets: readonly string[];
}

function anyValue({ type, enum: values, minimum }: JsonSchema): unknown {
  if (values !== undefined) return values[0];
  switch ([type ?? 'null'].flat()[0]) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return minimum ?? 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return null;
  }
}

/**
 * Makes an example from the schema of a request. If the example has the field `url`, its value is this server's
 * address, so that trying the example needs no Internet.
 */
export function requestExample(schema: JsonSchema, publicUrl: string): RequestExample {
  const ownValues: Example = { url: `${publicUrl}/` };
  const fields = Object.entries(schema.properties ?? {});
  const required = fields.filter(([name, field]) => !isSecret(field) && schema.required?.includes(name));
  const valueOf = (name: string, field: JsonSchema): unknown =>
    ownValues[name] ?? field.examples?.[0] ?? field.default ?? anyValue(field);
  const needed = Object.fromEntries(required.map(([name, field]) => [name, valueOf(name, field)]));
  // If one field can replace another, the schema requires neither. Then an example of the whole request shows which
  // fields are enough.
  const [enough] = schema.examples ?? [];
  const example = Object.entries(typeof enough === 'object' && enough !== null ? enough : {});
  const shortest = {
    ...needed,
    ...Object.fromEntries(example.map(([name, value]) => [name, ownValues[name] ?? value])),
  };
  return {
    shortest,
    secrets: fields.filter(([, field]) => isSecret(field)).map(([name]) => name),
  };
}
