import { announce } from './dom.js';
import { apiKeyProblem, authorizationProblem } from './credential-values.js';

/** A credential of a call: the header that carries it, and its field on the page. */
interface Credential {
  readonly header: string;
  readonly fieldId: string;
  readonly problemOf: (value: string) => string | undefined;
}

const CREDENTIALS: Readonly<Record<string, Credential>> = {
  apiKey: { header: 'X-Api-Key', fieldId: 'api-key', problemOf: apiKeyProblem },
  accessToken: { header: 'Authorization', fieldId: 'authorization', problemOf: authorizationProblem },
};

const findInput = (id: string) => document.querySelector<HTMLInputElement>(`input#${id}`);

/** Shows the problem of a field, or clears it. */
function mark(input: HTMLInputElement, problem: string | undefined): void {
  const place = document.getElementById(`${input.id}-problem`);
  if (place !== null && place.textContent !== (problem ?? '')) place.textContent = problem ?? '';
  if (problem === undefined) input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

function watch({ fieldId, problemOf }: Credential): void {
  const input = findInput(fieldId);
  if (input === null) return;
  const check = () => mark(input, input.value === '' ? undefined : problemOf(input.value));
  input.addEventListener('change', check);
  input.addEventListener('paste', () => setTimeout(check));
  // Only a field that was found wrong is checked again with every key press.
  input.addEventListener('input', () => {
    if (input.hasAttribute('aria-invalid')) check();
  });
}

function enableShowing(button: HTMLButtonElement): void {
  const input = findInput(button.dataset.show ?? '');
  button.addEventListener('click', () => {
    if (input === null) return;
    const isShown = input.type === 'password';
    input.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
  });
}

/** Shows the credential fields. Their values stay in the fields and are not stored. */
export function enableCredentials(): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-credential]')) part.hidden = false;
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-show]'))
    enableShowing(button);
  for (const credential of Object.values(CREDENTIALS)) watch(credential);
}

/** The headers that authenticate a call, or what must be entered first and in which field. */
export function authenticate(
  kind: string,
):
  | { readonly headers: Readonly<Record<string, string>> }
  | { readonly problem: string; readonly field: HTMLElement } {
  const credential = CREDENTIALS[kind];
  const input = credential === undefined ? null : findInput(credential.fieldId);
  if (credential === undefined || input === null) return { headers: {} };
  const problem = credential.problemOf(input.value);
  mark(input, problem);
  if (problem !== undefined) return { problem, field: input };
  return { headers: { [credential.header]: input.value.trim() } };
}

/** Enters a new access token for the next call. */
export function enterAccessToken(token: string): void {
  const input = findInput('authorization');
  if (input === null) return;
  input.value = `Bearer ${token}`;
  mark(input, undefined);
  announce('The new access token is entered as the authorisation value.');
}
