import { apiKeyProblem } from './credential-problem.js';

describe('the API key of interface A', () => {
  test('accepts a key, ignoring white space around it from copying', () => {
    expect(apiKeyProblem(' sp_live_abc123\n')).toBeUndefined();
  });

  test.each(['', ' ', 'two words', 'ключ'])(
    '%j cannot be sent in a header and is rejected before sending',
    (value) => {
      expect(apiKeyProblem(value)).toMatch(/API key/u);
    },
  );
});
