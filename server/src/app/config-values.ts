import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** The widest networks for private use, 10.0.0.0/8 and fc00::/7, and the widest of IPv6 that one owner has. */
const MIN_IPV4_BITS = 8;
const MIN_PRIVATE_IPV6_BITS = 7;
const MIN_IPV6_BITS = 32;
const IPV4_MAPPED_BITS = 96;

const isAddressOrNetwork = (text: string) =>
  isIP(text.replace(/\/\d+$/u, '')) !== 0 && (isIP(text) !== 0 || ipaddr.isValidCIDR(text));

/** A list of addresses and networks. */
export const networks = z
  .string()
  .transform((text) => text.split(/[\s,]+/u).filter((part) => part !== ''))
  .refine((parts) => parts.every(isAddressOrNetwork), {
    error: 'must be addresses or networks separated by commas, such as "127.0.0.1, 10.0.0.0/8"',
    abort: true,
  });

function isNarrow(text: string): boolean {
  if (!text.includes('/')) return true;
  const [address, bits] = ipaddr.parseCIDR(text);
  if (address instanceof ipaddr.IPv4) return bits >= MIN_IPV4_BITS;
  if (address.isIPv4MappedAddress()) return bits - IPV4_MAPPED_BITS >= MIN_IPV4_BITS;
  return bits >= (address.range() === 'uniqueLocal' ? MIN_PRIVATE_IPV6_BITS : MIN_IPV6_BITS);
}

/** The same of machines whose word is taken for where a request comes from. */
export const trustedNetworks = networks.refine(
  (parts) => parts.every(isNarrow),
  'must name the reverse proxies alone, no network wider than /8 (IPv6: /32, private ones /7): whoever connects from there is believed',
);

/** What a server may listen on, as far as its form tells. */
export const host = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || /^[\w.-]{1,253}$/u.test(text),
    'must be an address or a name of this machine without a port, such as "0.0.0.0"',
  );
