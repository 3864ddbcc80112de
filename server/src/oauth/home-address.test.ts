import { isSameServer, originForHost } from './home-address.js';

test.each([
  ['http://127.0.0.1:3000', 'localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000', 'LOCALHOST:3000', 'http://localhost:3000'],
  ['http://localhost:3000', '[::1]:3000', 'http://[::1]:3000'],
  ['http://127.0.0.1:3000', '127.0.0.1:3000', 'http://127.0.0.1:3000'],
])(
  'for a caller on the same machine, the origin %s gets the host of the Host header %s',
  (origin, host, expected) => {
    expect(originForHost(origin, host)).toBe(expected);
    expect(isSameServer(origin, expected)).toBe(true);
  },
);

test.each([
  ['http://127.0.0.1:3000', 'localhost:4000'],
  ['http://127.0.0.1:3000', 'localhost.evil.example:3000'],
  ['http://127.0.0.1:3000', 'user@localhost:3000'],
  ['http://127.0.0.1:3000', 'localhost:3000/path'],
  ['http://127.0.0.1:3000', undefined],
  ['https://signpost.example', 'localhost'],
  ['http://192.168.1.5:3000', 'localhost:3000'],
])('the origin %s stays unchanged for the Host header %s', (origin, host) => {
  expect(originForHost(origin, host)).toBe(origin);
});

test('addresses with different hosts or schemes, and a text that is no address, are not the same server', () => {
  expect(isSameServer('https://signpost.example', 'https://other.example')).toBe(false);
  expect(isSameServer('http://127.0.0.1:3000', 'https://localhost:3000')).toBe(false);
  expect(isSameServer('http://127.0.0.1:3000', 'no address')).toBe(false);
});
