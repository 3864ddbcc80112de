import { foreignCaller, LOOPBACK_HOSTS } from './request-origin.js';

const allowed = {
  hosts: [...LOOPBACK_HOSTS, 'signpost.example', 'proxy.example:8443'],
  origins: ['https://app.example'],
};

test.each([
  'localhost',
  'localhost:3000',
  'LOCALHOST:3000',
  '127.0.0.1:3001',
  '[::1]:3000',
  'signpost.example',
  'signpost.example:9999',
  'proxy.example:8443',
])('accepts the Host %s', (host) => {
  expect(foreignCaller({ host }, allowed)).toBeUndefined();
});

test.each([
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  'signpost.example.evil.example',
  'signpost.example@evil.example',
  'evil.example/localhost',
  'proxy.example',
  'proxy.example:443',
  'local host',
  '',
  undefined,
])('rejects the Host %s as foreign', (host) => {
  expect(foreignCaller({ ...(host === undefined ? {} : { host }) }, allowed)).toContain('"Host"');
});

test.each([undefined, 'https://app.example', 'http://localhost:3000', 'https://localhost:3000'])(
  'a request with the Origin %s may call localhost:3000',
  (origin) => {
    const headers = { host: 'localhost:3000', ...(origin === undefined ? {} : { origin }) };
    expect(foreignCaller(headers, allowed)).toBeUndefined();
  },
);

test.each([
  'http://evil.example',
  'http://app.example',
  'https://app.example.evil.example',
  'https://app.example:8443',
  'http://localhost:3001',
  'http://localhost',
  'null',
  '',
  'file://',
  'chrome-extension://localhost:3000',
])('rejects a page of the origin %j that calls localhost:3000', (origin) => {
  expect(foreignCaller({ host: 'localhost:3000', origin }, allowed)).toContain('"Origin"');
});

test("rejects a host name that a foreign site pointed here, even if the page's origin has the same host", () => {
  expect(foreignCaller({ host: 'evil.example', origin: 'http://evil.example' }, allowed)).toContain('"Host"');
});

test('an operator can allow every host name and every origin, but not the origin null', () => {
  const everybody = { hosts: ['*'], origins: ['*'] };
  expect(foreignCaller({ host: 'any.example', origin: 'https://other.example' }, everybody)).toBeUndefined();
  expect(foreignCaller({ host: 'any.example', origin: 'null' }, everybody)).toContain('"Origin"');
});
