import { apiKeyProblem } from './credential-values.js';

describe('the API key of interface A', () => {
  test('a key passes, with white space around it that copying may have caught', () => {
    expect(apiKeyProblem(' sp_live_abc123\n')).toBeUndefined();
  });

  test.each(['', ' ', 'two words', 'ключ'])(
    '%j can be no header and is refused before it is sent',
    (value) => {
      expect(apiKeyProblem(value)).toMatch(/API key/u);
    },
  );
});
