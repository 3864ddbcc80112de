/** What is wrong with a value for the header X-Api-Key, as one sentence; undefined where it can be sent. */
export function apiKeyProblem(value: string): string | undefined {
  const key = value.trim();
  if (key === '') return 'Enter the API key.';
  if (/^[\x21-\x7e]+$/u.test(key)) return undefined;
  return 'This is no API key: a key is one word of letters, digits and underscores.';
}
