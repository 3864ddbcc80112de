import { networkInterfaces } from 'node:os';
import { createAddressPolicy } from './address-policy.js';

const isAllowed = createAddressPolicy([]);

test.each([
  ...[
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
  ],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1'],
  ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::169.254.169.254',
    '64:ff9b::168.63.129.16',
    '64:ff9b::100.64.0.1',
    '64:ff9b::',
  ],
  ...[
    '64:ff9b:1::1',
    '64:ff9b:1::8.8.8.8',
    '64:ff9b:0:0:0:1:808:808',
    '64:ff9a::8.8.8.8',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
  ],
  ...['4000::1', '5f00::1', 'fc00::1', 'fd00::1', 'fe80::1', 'fec0::1', 'ff02::1', 'not an address', ''],
])('pages may not be fetched from the address %s', (address) => {
  expect(isAllowed(address)).toBe(false);
});

test.each(['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
  'pages may be fetched from the address %s',
  (address) => {
    expect(isAllowed(address)).toBe(true);
  },
);

test.each(['64:ff9b::8.8.8.8', '64:FF9B::0808:0808', '64:ff9b:0:0:0:0:8.8.8.8'])(
  'pages may be fetched from %s, because the IPv4 address inside it is public',
  (address) => {
    expect(isAllowed(address)).toBe(true);
  },
);

test('an exception also allows its IPv4 addresses inside NAT64 addresses, but no others', () => {
  const withExceptions = createAddressPolicy(['10.1.0.0/16']);

  expect(withExceptions('64:ff9b::10.1.2.3')).toBe(true);
  expect(withExceptions('64:ff9b::10.2.0.1')).toBe(false);
  expect(withExceptions('64:ff9b:1::10.1.2.3')).toBe(false);
});

test('rejects each IPv4 address of this machine inside a NAT64 address', () => {
  const own = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ family }) => family === 'IPv4');

  expect(own).not.toEqual([]);
  for (const { address } of own) expect(isAllowed(`64:ff9b::${address}`)).toBe(false);
});

test('an exception allows its address or network, also as an IPv4-mapped IPv6 address, and no other', () => {
  const withExceptions = createAddressPolicy(['10.1.0.0/16', '127.0.0.2', 'fd00::/8']);

  expect(withExceptions('10.1.2.3')).toBe(true);
  expect(withExceptions('::ffff:10.1.2.3')).toBe(true);
  expect(withExceptions('127.0.0.2')).toBe(true);
  expect(withExceptions('fd12::1')).toBe(true);
  expect(withExceptions('10.2.0.1')).toBe(false);
  expect(withExceptions('127.0.0.1')).toBe(false);
  expect(withExceptions('fc00::1')).toBe(false);
});
