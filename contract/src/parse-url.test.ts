import { hostFileName, parseUrl } from './parse-url.js';

/** Enough calls for the engine to compile what is called. */
const MANY = 20_000;

test('an address with letters beyond ASCII is one however often it is asked', () => {
  let wrong = 0;
  for (let call = 0; call < MANY; call += 1) {
    if (parseUrl('https://b\u00FCcher.example/')?.hostname !== 'xn--bcher-kva.example') wrong += 1;
  }
  expect(wrong).toBe(0);
});

test('what is no address is undefined, and a base makes one of a path', () => {
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
])('a file of %s is named for its host: %s', (url, name) => {
  expect(hostFileName(url)).toBe(name);
});
