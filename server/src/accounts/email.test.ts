import { normaliseEmail } from './account.js';

test.each([
  ['ada@example.org', 'ada@example.org'],
  [' Ada.Lovelace+Maps@Example.ORG ', 'ada.lovelace+maps@example.org'],
  ['operator@localhost', 'operator@localhost'],
])('%j is stored as %j', (text, email) => {
  expect(normaliseEmail(text)).toBe(email);
});

test.each([
  '',
  'ada',
  '@example.org',
  'ada@',
  'ada@@example.org',
  'ada lovelace@example.org',
  'ada@exa mple.org',
  'ada@-example.org',
  'ada@example..org',
  'ada@example.org\nbcc: all@example.org',
  `${'a'.repeat(65)}@example.org`,
])('%j is refused in words', (text) => {
  expect(() => normaliseEmail(text)).toThrow(/is not an e-mail address such as/u);
});

test('one that is too long is refused without being repeated', () => {
  const text = `a@${Array.from({ length: 64 }, () => 'abcd').join('.')}`;
  expect(() => normaliseEmail(text)).toThrow(/^An e-mail address has at most 254 characters\.$/u);
});
