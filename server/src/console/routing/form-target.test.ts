import { formTarget } from './security-headers.js';

test.each([
  ['https://receiver.example/callback?a=b', 'https://receiver.example'],
  ['http://127.0.0.1:4000/callback', 'http://127.0.0.1:4000'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example'],
])('a form may lead to the origin of %s', (url, source) => {
  expect(formTarget(new URL(url))).toBe(source);
});

test.each([
  ['http://[::1]:4000/callback', 'http:'],
  ['https://*.example/', 'https:'],
  ['https://a;script-src/', 'https:'],
  ['cursor://anysphere.cursor-retrieval/oauth', 'cursor:'],
])('the part of %s that a policy cannot express is left out of it', (url, source) => {
  expect(formTarget(new URL(url))).toBe(source);
});
