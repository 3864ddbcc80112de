import { parseUrl } from './parse-url.js';

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
