import { parse } from 'node:querystring';
import { type ErrorName, LIMITS } from '@signpost/contract';
import { z } from 'zod';
import { ServiceError } from '../../platform/errors.js';

/** Well above the number of fields in our largest form. */
const MAX_FIELDS = 100;

const tooMuch = (excess: string) =>
  new ServiceError('invalidRequest', `The form has ${excess}. Go back and send less.`);

/** Parses a form's body. Throws a ServiceError for too many fields, or a field longer than an address may be. */
export function parseForm(body: string): Record<string, unknown> {
  if (body.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooMuch(`more than ${MAX_FIELDS} fields`);
  const fields = parse(body);
  const { max } = LIMITS.urlCharacters;
  if (Object.values(fields).some((texts) => [texts].flat().some((text) => (text?.length ?? 0) > max)))
    throw tooMuch(`a field of more than ${max} characters`);
  return fields;
}

/** The text of a field. If it was sent twice, the last one counts; a missing field is empty. */
const fieldText = z.preprocess((value) => {
  const last: unknown = Array.isArray(value) ? value.at(-1) : value;
  // NUL is removed, because PostgreSQL does not accept it in a text.
  return typeof last === 'string' ? last.replaceAll('\0', '') : '';
}, z.string());

const entriesOf = (body: unknown): [string, unknown][] =>
  typeof body === 'object' && body !== null ? Object.entries(body) : [];

/**
 * Reads the named fields of a body, a query or path parameters as texts, without checking them. A missing field is
 * empty.
 */
export function formFields<Name extends string>(
  body: unknown,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const isNamed: ReadonlySet<string> = new Set(names);
  const named = entriesOf(body).filter(([name]) => isNamed.has(name));
  return z.record(z.enum(names), fieldText).parse(Object.fromEntries(named));
}

/** Rejects a form. `problems` has the problem of each wrong field, by the name of the field. */
class FormRejection extends ServiceError {
  constructor(readonly problems: Readonly<Record<string, string>>) {
    super('invalidRequest', Object.values(problems).join(' '));
  }
}

/** Returns the schema of a form's field. `parse` parses its text, and throws a ServiceError if the text is wrong. */
export const field = <Value>(parse: (text: string) => Value) =>
  z.string().transform((text, context): Value => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      context.addIssue(error.message);
      return z.NEVER;
    }
  });

/** The schema of a checkbox: true if it is ticked. */
export const tick = field((text) => text === 'yes');

/** The schema of a form that turns something on or off. */
export const SWITCH_FORM = z.object({
  state: z.enum(['on', 'off'], { error: 'The state must be "on" or "off".' }),
});

/** Parses a form's body by its schema. Throws a FormRejection if a field is wrong. */
export function readForm<Schema extends z.ZodObject>(body: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(formFields(body, Object.keys(schema.shape)));
  if (parsed.success) return parsed.data;
  throw new FormRejection(
    Object.fromEntries(parsed.error.issues.map(({ path: [name], message }) => [String(name), message])),
  );
}

/** The problems of a form: of single fields, by name, or of the form as a whole. */
export interface FormProblems {
  readonly fields: Readonly<Record<string, string>>;
  readonly general?: string;
  /** The entered texts by field, to be shown again. */
  readonly values: Readonly<Record<string, string>>;
  /** Seconds to wait before the next try, if the error says how many. */
  readonly retryAfterSeconds?: number;
  readonly status: 400 | 401 | 429 | 503;
}

const statuses = { invalidRequest: 400, unauthorized: 401, rateLimited: 429, overloaded: 503 } as const;

const isFormError = (kind: ErrorName): kind is keyof typeof statuses => kind in statuses;

/**
 * Converts an error to the problems of the form with this body. With `field`, an invalid request is a problem of that
 * field, unless the error names fields itself. Rethrows errors that no form can show.
 */
export function problemsOf(error: unknown, body: unknown, field?: string): FormProblems {
  if (!(error instanceof ServiceError)) throw error;
  const { kind, message, retryAfterSeconds } = error;
  if (!isFormError(kind)) throw error;
  const names = entriesOf(body).map(([name]) => name);
  const about =
    error instanceof FormRejection
      ? { fields: error.problems }
      : field !== undefined && kind === 'invalidRequest'
        ? { fields: { [field]: message } }
        : { fields: {}, general: message };
  return {
    ...about,
    values: formFields(body, names),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    status: statuses[kind],
  };
}
