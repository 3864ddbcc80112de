import { apiKeyProblem } from './credential-problem.js';

describe('the check of an API key', () => {
  test('accepts an API key, ignoring white space around it from copying', () => {
    expect(apiKeyProblem(' sp_live_abc123\n')).toBeUndefined();
  });

  test.each(['', ' ', 'two words', 'ключ', 'sp-live-abc123', '"sp_live_abc123"'])(
    'rejects the value %j, which is not one word of ASCII letters, digits and underscores',
    (value) => {
      expect(apiKeyProblem(value)).toMatch(/API key/u);
    },
  );
});
