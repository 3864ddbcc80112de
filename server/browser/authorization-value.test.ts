import { authorizationProblem } from './credential-values.js';

const TOKEN = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhY2NvdW50LTEifQ.c2lnbmF0dXJl-_';

describe('the authorisation value of interface B', () => {
  test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `  Bearer ${TOKEN}\n`, 'Bearer abc=='])(
    'the word Bearer, a space and a token pass: %j',
    (value) => {
      expect(authorizationProblem(value)).toBeUndefined();
    },
  );

  test('the token alone is rejected with a sentence that says what to enter', () => {
    expect(authorizationProblem(TOKEN)).toBe(
      'This is the token alone, which is rejected. Enter the word Bearer, a space, then the access token.',
    );
  });

  test.each([
    ['', 'Enter the authorisation value'],
    ['   ', 'Enter the authorisation value'],
    ['Bearer', 'The access token is missing'],
    ['Bearer ', 'The access token is missing'],
    [`Bearer${TOKEN}`, 'The space after the word Bearer is missing'],
    [`Bearer ${TOKEN} ${TOKEN}`, 'not one token'],
    [`Bearer Bearer ${TOKEN}`, 'not one token'],
    ['Bearer tökén', 'not one token'],
    [`Basic ${TOKEN}`, 'no value for a bearer token'],
  ])('%j is told apart', (value, words) => {
    expect(authorizationProblem(value)).toContain(words);
    expect(authorizationProblem(value)).toMatch(/the word Bearer, a space, then the access token\.$/u);
  });
});
