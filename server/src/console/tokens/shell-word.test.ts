import { execFileSync } from 'node:child_process';
import { quoteShellWord } from './token-page.js';

test('a plain e-mail address stays as it is', () => {
  expect(quoteShellWord('ada.lovelace+signpost@mail-1.example.org')).toBe(
    'ada.lovelace+signpost@mail-1.example.org',
  );
});

test.each([
  '$(id)@example.org',
  '`id`@example.org',
  "o'hara@example.org",
  'a|b&c@example.org',
  "'$HOME'",
  '*',
  '',
])('a shell takes %j for that very word', (text) => {
  const printed = execFileSync('sh', ['-c', `printf %s ${quoteShellWord(text)}`], { encoding: 'utf8' });
  expect(printed).toBe(text);
});
