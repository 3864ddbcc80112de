import { normaliseEmail } from './account.js';

test.each([
  ['ada@example.org', 'ada@example.org'],
  [' Ada.Lovelace+Maps@Example.ORG ', 'ada.lovelace+maps@example.org'],
  ['operator@localhost', 'operator@localhost'],
])('normalises the e-mail %j to %j', (text, email) => {
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
])('rejects %j as an e-mail address', (text) => {
  expect(() => normaliseEmail(text)).toThrow(/is not an e-mail address such as/u);
});

test('rejects an e-mail address that is too long without repeating it', () => {
  const text = `a@${Array.from({ length: 64 }, () => 'abcd').join('.')}`;
  expect(() => normaliseEmail(text)).toThrow(/^An e-mail address has at most 254 characters\.$/u);
});
