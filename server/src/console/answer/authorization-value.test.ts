import { authorizationProblem } from './credential-problem.js';

const TOKEN = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhY2NvdW50LTEifQ.c2lnbmF0dXJl-_';

describe('the check of an authorisation value', () => {
  test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `  Bearer ${TOKEN}\n`, 'Bearer abc=='])(
    'accepts the value %j: the word Bearer, a space and a token',
    (value) => {
      expect(authorizationProblem(value)).toBeUndefined();
    },
  );

  test('rejects a token without the word Bearer, with a message that says what to enter', () => {
    expect(authorizationProblem(TOKEN)).toBe(
      'The word Bearer is missing. Enter the word Bearer, a space, then the access token.',
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
  ])('rejects the value %j with a message that names the problem and says what to enter', (value, words) => {
    expect(authorizationProblem(value)).toContain(words);
    expect(authorizationProblem(value)).toMatch(/the word Bearer, a space, then the access token\.$/u);
  });
});
