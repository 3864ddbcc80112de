import type { JsonSchema } from '../request/json-schema.js';

/** A secret is never shown, never filled in, and typed into a field that hides it. */
const isSecret = ({ format }: JsonSchema) => format === 'password';

type Example = Readonly<Record<string, unknown>>;

/** A request that works as it stands, without its secrets. */
export interface RequestExample {
  /** What must be sent. */
  readonly shortest: Example;
  /** The same with every default written out, to be changed. */
  readonly whole: Example;
  /** The names of the fields that hold a secret; they come on top. */
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
 * An example of a request, from the schema's own examples and defaults. The page to be captured is this server's own
 * front page, which a server without the internet can reach too.
 */
export function requestExample(schema: JsonSchema, publicUrl: string): RequestExample {
  const known: Example = { url: `${publicUrl}/` };
  const fields = Object.entries(schema.properties ?? {});
  const shown = fields.filter(([, field]) => !isSecret(field));
  const required = shown.filter(([name]) => schema.required?.includes(name));
  const valueOf = (name: string, field: JsonSchema): unknown =>
    known[name] ?? field.examples?.[0] ?? field.default ?? anyValue(field);
  const needed = Object.fromEntries(required.map(([name, field]) => [name, valueOf(name, field)]));
  // If one field can stand for another, none is required: an example of the whole request says what is enough.
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
