import { pageSource } from './page-source.js';
import { hostFileName, parseUrl, parseWebAddress } from './parse-url.js';

/** After this many calls, V8 has optimized the function. */
const MANY = 20_000;

test('parses an address with a non-ASCII letter correctly 20,000 times in a row', () => {
  let wrong = 0;
  for (let call = 0; call < MANY; call += 1) {
    if (parseUrl('https://b\u00FCcher.example/')?.hostname !== 'xn--bcher-kva.example') wrong += 1;
  }
  expect(wrong).toBe(0);
});

test('returns undefined for an invalid address, and resolves a path against a base', () => {
  for (const text of ['', 'example.com', 'http://', 'http://[', '/path'])
    expect(parseUrl(text)).toBeUndefined();
  expect(parseUrl('/path', 'http://example.com')?.href).toBe('http://example.com/path');
});

test.each([
  ['https://www.example.com/a/b?c=d', 'www.example.com'],
  ['http://127.0.0.1:3000/', '127.0.0.1'],
  ['http://[2001:db8::1]/', '2001-db8-1'],
  ['https://b\u00FCcher.example/', 'xn--bcher-kva.example'],
  ['not an address', 'page'],
  [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`, `${'a'.repeat(60)}.${'b'.repeat(19)}`],
])('the files of a page at %s are named %s', (url, name) => {
  expect(hostFileName(url)).toBe(name);
});

const FORMS: readonly (readonly [string, string])[] = [
  ['https://example.com', 'https://example.com/'],
  ['  https://example.com/a b \n', 'https://example.com/a%20b'],
  ['\u00a0HTTP://EXAMPLE.com:80/A\u3000', 'http://example.com/A'],
  ['https://exa\tmple.com/a\nb', 'https://example.com/ab'],
  ['https://example.com\\a\\b', 'https://example.com/a/b'],
  ['https://good.example\\@evil.example/', 'https://good.example/@evil.example/'],
  ['https://ada:secret@example.com/#part', 'https://ada:secret@example.com/#part'],
  ['https://b\u00FCcher.example/\u00fc', 'https://xn--bcher-kva.example/%C3%BC'],
  ['http://\uff11\uff12\uff17.0.0.1/', 'http://127.0.0.1/'],
  ['http://0x7f.1', 'http://127.0.0.1/'],
];

test.each(FORMS)('normalizes the address %j to %j, in "url" and in "baseUrl"', (text, href) => {
  expect(parseWebAddress(text)?.href).toBe(href);
  expect(pageSource.url.parse(text)).toBe(href);
  expect(pageSource.baseUrl.parse(text)).toBe(href);
});

test.each([
  ...['', ' ', 'example.com', '//example.com', 'http:', 'http://', 'http:host', 'http:/host', 'http:///host'],
  ...[
    'http:\\\\host',
    'http:/\\host',
    'http:// host',
    'http://\thost',
    'http://[',
    'ftp://host',
    'file:///etc/passwd',
  ],
  ...['javascript:alert(1)', 'data:text/html,x', 'h\nttp://host', 'view-source:http://host'],
])('rejects the address %j with one problem', (text) => {
  expect(parseWebAddress(text)).toBeUndefined();
  expect(pageSource.url.safeParse(text).error?.issues).toHaveLength(1);
});
