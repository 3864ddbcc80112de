import { parse } from 'node:querystring';
import { type ErrorName, LIMITS } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';

/** Our largest form has a fifth of this number. */
const MAX_FIELDS = 100;

const tooMuch = (excess: string) =>
  new ServiceError('invalidRequest', `The form has ${excess}. Go back and send less.`);

/**
 * Parses the body of a form. Throws a ServiceError if it has more fields, or longer ones, than any of our
 * forms.
 */
export function parseForm(body: string): Record<string, unknown> {
  if (body.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooMuch(`more than ${MAX_FIELDS} fields`);
  const fields = parse(body);
  const { max } = LIMITS.urlCharacters;
  if (Object.values(fields).some((texts) => [texts].flat().some((text) => (text?.length ?? 0) > max)))
    throw tooMuch(`a field of more than ${max} characters`);
  return fields;
}

/** The texts of a submitted form by field name; a missing field is empty. */
export type FormFields = Readonly<Record<string, string>>;

/** Reads the named fields of a form's body. The last value counts if a field was sent twice. */
export function formFields<Name extends string>(
  body: unknown,
  names: readonly Name[],
): Readonly<Record<Name, string>>;
export function formFields(body: unknown, names: readonly string[]): FormFields {
  const sent = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  );
  return Object.fromEntries(
    names.map((name) => {
      const value = sent.get(name);
      const last: unknown = Array.isArray(value) ? value.at(-1) : value;
      // PostgreSQL does not accept NUL in a text, and no form of ours needs it.
      return [name, typeof last === 'string' ? last.replaceAll('\0', '') : ''];
    }),
  );
}

/** The problems of a form: of single fields, by name, or of the form as a whole. */
export interface FormProblems {
  readonly fields: Readonly<Record<string, string>>;
  readonly whole?: string;
  /** Seconds to wait, after too many tries. */
  readonly retryAfterSeconds?: number;
  readonly status: 400 | 401 | 429 | 503;
}

/** Runs the check of each field and collects the messages of those that fail. */
export function fieldProblems(checks: Readonly<Record<string, () => void>>): FormProblems | undefined {
  const fields: Record<string, string> = {};
  for (const [name, check] of Object.entries(checks)) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      fields[name] = error.message;
    }
  }
  return Object.keys(fields).length === 0 ? undefined : { fields, status: 400 };
}

const statuses = { invalidRequest: 400, unauthorized: 401, rateLimited: 429, overloaded: 503 } as const;

const isFormsOwn = (kind: ErrorName): kind is keyof typeof statuses => kind in statuses;

/**
 * Converts a ServiceError to the problem of a form, or of one field if the error is about its value. Rethrows
 * anything else.
 */
export function problemsOf(error: unknown, field?: string): FormProblems {
  if (!(error instanceof ServiceError)) throw error;
  const { kind, message, retryAfterSeconds } = error;
  if (!isFormsOwn(kind)) throw error;
  const isOfField = field !== undefined && kind === 'invalidRequest';
  return {
    ...(isOfField ? { fields: { [field]: message } } : { fields: {}, whole: message }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    status: statuses[kind],
  };
}
