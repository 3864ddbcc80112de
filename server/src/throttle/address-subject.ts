import ipaddr from 'ipaddr.js';

const CUSTOMER_PREFIX_BITS = 64;
const MAX_CHARACTERS = 64;
const THIS_MACHINE = 'this machine';

/**
 * The subject under which requests from an address are counted: an IPv4 address itself, even if written as IPv4-mapped
 * IPv6; for IPv6 its /64, because one customer often has all of it. A text that is not an address is its own subject,
 * shortened. Null means the command line.
 */
export function addressSubject(ip: string | null): string {
  if (ip === null) return THIS_MACHINE;
  if (!ipaddr.isValid(ip)) return ip.slice(0, MAX_CHARACTERS);
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(
    `${address.toNormalizedString()}/${CUSTOMER_PREFIX_BITS}`,
  );
  return `${network.toString()}/${CUSTOMER_PREFIX_BITS}`;
}
