import { localPath } from './next-path.js';

const fallback = '/overview';

test.each([
  '/apikeys',
  '/apikeys?x=1',
  '/apilogin?returnUrl=https%3A%2F%2Fa.example%2F',
  '/a/../b',
  '/%2e/b',
])('the next path %j is followed, because it stays on this server', (text) => {
  const path = localPath(text, fallback);
  expect(path).toMatch(/^\/[^/]/u);
  expect(path).not.toBe(fallback);
  expect(new URL(path, 'https://signpost.example').host).toBe('signpost.example');
});

test.each([
  undefined,
  '',
  'apikeys',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  '/a/..//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  'https://evil.example/',
  'http://this-server.invalid:80//evil.example',
  'javascript:alert(1)',
])('the next path %j is replaced by the fallback', (text) => {
  expect(localPath(text, fallback)).toBe(fallback);
});
