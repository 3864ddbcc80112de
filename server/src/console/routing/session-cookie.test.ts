import { describeBrowser } from './session-cookie.js';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    'Microsoft Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [undefined, 'An unknown browser'],
  ['', 'An unknown browser'],
  [' ', 'An unknown browser'],
])('describes the User-Agent %j as %s', (userAgent, words) => {
  expect(describeBrowser(userAgent)).toBe(words);
});

test('the description of a client has at most a hundred characters', () => {
  for (const userAgent of ['x'.repeat(10_000), `${'y'.repeat(400)}/1.0 (z)`, '\0\u202e/('])
    expect([...describeBrowser(userAgent)].length).toBeLessThanOrEqual(100);
});
