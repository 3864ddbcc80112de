import type { JsonSchema } from '../request/json-schema.js';

/** Whether a field is secret. Secrets are never shown or filled in, and their inputs hide the text. */
const isSecret = ({ format }: JsonSchema) => format === 'password';

type Example = Readonly<Record<string, unknown>>;

/** Two examples of a request, which are valid once the secrets are added. */
export interface RequestExample {
  /** A request with only the required fields, and those that the schema's own example has. */
  readonly shortest: Example;
  /** The shortest request with every default written out, for people who want to change some. */
  readonly whole: Example;
  /** The names of the secret fields, which the examples do not have. */
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
 * Makes example requests from the examples and defaults in the schema. The page to capture is this server's own front
 * page, because even a server without the Internet can reach it.
 */
export function requestExample(schema: JsonSchema, publicUrl: string): RequestExample {
  const known: Example = { url: `${publicUrl}/` };
  const fields = Object.entries(schema.properties ?? {});
  const shown = fields.filter(([, field]) => !isSecret(field));
  const required = shown.filter(([name]) => schema.required?.includes(name));
  const valueOf = (name: string, field: JsonSchema): unknown =>
    known[name] ?? field.examples?.[0] ?? field.default ?? anyValue(field);
  const needed = Object.fromEntries(required.map(([name, field]) => [name, valueOf(name, field)]));
  // If one field can replace another, the schema requires neither. Then an example of the whole request shows which
  // fields are enough.
  const [enough] = schema.examples ?? [];
  const whole = Object.entries(typeof enough === 'object' && enough !== null ? enough : {});
  const shortest = {
    ...needed,
    ...Object.fromEntries(whole.map(([name, value]) => [name, known[name] ?? value])),
  };
  const defaults = Object.fromEntries(
    shown.flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  );
  return {
    shortest,
    whole: { ...shortest, ...defaults },
    secrets: fields.filter(([, field]) => isSecret(field)).map(([name]) => name),
  };
}
