/** Says why a value is no API key; undefined if it is one word of ASCII letters, digits and underscores. */
export function apiKeyProblem(value: string): string | undefined {
  const key = value.trim();
  if (key === '') return 'Enter the API key.';
  if (/^\w+$/u.test(key)) return undefined;
  return 'This is no API key: a key is one word of letters, digits and underscores.';
}

const FORM = /^Bearer +[\w.~+/-]+=*$/iu;
const EXPECTED = 'the word Bearer, a space, then the access token';

/** Says why a value is not `Bearer <access token>`; undefined if it is. Does not check whether the token is valid. */
export function authorizationProblem(value: string): string | undefined {
  const whole = value.trim();
  if (FORM.test(whole)) return undefined;
  if (whole === '') return `Enter the authorisation value: ${EXPECTED}.`;
  if (/^Bearer$/iu.test(whole)) return `The access token is missing. Enter ${EXPECTED}.`;
  if (/^Bearer\S/iu.test(whole)) return `The space after the word Bearer is missing. Enter ${EXPECTED}.`;
  if (/^Bearer\s/iu.test(whole)) return `What follows the word Bearer is not one token. Enter ${EXPECTED}.`;
  if (/\s/u.test(whole)) return `This is no value for a bearer token. Enter ${EXPECTED}.`;
  return `The word Bearer is missing. Enter ${EXPECTED}.`;
}
