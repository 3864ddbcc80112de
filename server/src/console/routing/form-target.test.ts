import { formTarget } from './security-headers.js';

test.each([
  ['https://receiver.example/callback?a=b', 'https://receiver.example'],
  ['http://127.0.0.1:4000/callback', 'http://127.0.0.1:4000'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example'],
])('a form may lead to the origin of the URL %s', (url, source) => {
  expect(formTarget(new URL(url))).toBe(source);
});

test.each([
  ['http://[::1]:4000/callback', 'http:'],
  ['https://*.example/', 'https:'],
  ['https://a;script-src/', 'https:'],
  ['cursor://anysphere.cursor-retrieval/oauth', 'cursor:'],
])('a form may lead to every URL with the scheme of %s, whose origin a policy cannot name', (url, source) => {
  expect(formTarget(new URL(url))).toBe(source);
});
