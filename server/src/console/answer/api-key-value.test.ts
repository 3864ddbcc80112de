import { apiKeyProblem } from './credential-problem.js';

describe('the API key of interface A', () => {
  test('accepts a key, ignoring white space around it from copying', () => {
    expect(apiKeyProblem(' sp_live_abc123\n')).toBeUndefined();
  });

  test.each(['', ' ', 'two words', 'ключ'])(
    'rejects the value %j, which is not one word of printable ASCII',
    (value) => {
      expect(apiKeyProblem(value)).toMatch(/API key/u);
    },
  );
});
