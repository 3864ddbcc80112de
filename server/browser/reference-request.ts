import { authenticate } from './reference-credentials.js';

/** A call as entered in a form of the page. */
export interface PreparedRequest {
  readonly path: string;
  readonly init: RequestInit;
  /** The secrets in the body, which shown responses must hide. */
  readonly secrets: readonly string[];
}

/** Why a call cannot be sent, and the field to change. */
export interface Unprepared {
  readonly problem: string;
  readonly field: HTMLElement | undefined;
}

type Body = Record<string, unknown>;

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(textarea: HTMLTextAreaElement): Body | Unprepared {
  try {
    const body: unknown = JSON.parse(textarea.value);
    if (isObject(body)) return body;
    return { problem: 'The request body must be a JSON object, in braces.', field: textarea };
  } catch (error) {
    const why = error instanceof Error ? ` (${error.message})` : '';
    return { problem: `The request body is not valid JSON${why}.`, field: textarea };
  }
}

const isUnprepared = (value: Body | Unprepared): value is Unprepared => value.field instanceof HTMLElement;

/** Reads a form of the reference: its body, its secrets and its credential. */
export function prepareRequest(form: HTMLFormElement): PreparedRequest | Unprepared {
  const { method = 'GET', path = '/', authentication = '' } = form.dataset;
  const authenticated = authenticate(authentication);
  if ('problem' in authenticated) return authenticated;
  const common: RequestInit = {
    method,
    cache: 'no-store',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  };
  const textarea = form.querySelector<HTMLTextAreaElement>('[data-body]');
  const secretInputs = [...form.querySelectorAll<HTMLInputElement>('[data-secret]')];
  if (textarea === null && secretInputs.length === 0) {
    return { path, init: { ...common, headers: authenticated.headers }, secrets: [] };
  }
  const body = textarea === null ? {} : parse(textarea);
  if (isUnprepared(body)) return body;
  for (const input of secretInputs) {
    if (input.value.trim() === '') return { problem: 'Enter the token to be sent.', field: input };
    body[input.dataset.secret ?? ''] = input.value.trim();
  }
  return {
    path,
    init: {
      ...common,
      headers: { ...authenticated.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    },
    secrets: secretInputs.map((input) => input.value.trim()),
  };
}
