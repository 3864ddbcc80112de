/** What is wrong with a value for the header X-Api-Key, as one sentence; undefined where it can be sent. */
export function apiKeyProblem(value: string): string | undefined {
  const key = value.trim();
  if (key === '') return 'Enter the API key.';
  if (/^[\x21-\x7e]+$/u.test(key)) return undefined;
  return 'This is no API key: a key is one word of letters, digits and underscores.';
}

const FORM = /^Bearer +[\w.~+/-]+=*$/iu;
const WANTED = 'the word Bearer, a space, then the access token';

/**
 * What is wrong with a value for the header Authorization, as one sentence; undefined where it has the form
 * `Bearer <access token>`. Whether the token is valid the server says.
 */
export function authorizationProblem(value: string): string | undefined {
  const whole = value.trim();
  if (FORM.test(whole)) return undefined;
  if (whole === '') return `Enter the authorisation value: ${WANTED}.`;
  if (/^Bearer$/iu.test(whole)) return `The access token is missing. Enter ${WANTED}.`;
  if (/^Bearer\S/iu.test(whole)) return `The space after the word Bearer is missing. Enter ${WANTED}.`;
  if (/^Bearer\s/iu.test(whole)) return `What follows the word Bearer is not one token. Enter ${WANTED}.`;
  if (/\s/u.test(whole)) return `This is no value for a bearer token. Enter ${WANTED}.`;
  return `This is the token alone, which is rejected. Enter ${WANTED}.`;
}
