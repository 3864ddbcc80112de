import ipaddr from 'ipaddr.js';

const CUSTOMER_PREFIX_BITS = 64;
const MAX_CHARACTERS = 64;
const THIS_MACHINE = 'this machine';

/**
 * The subject that requests from an address count for: an IPv4 address itself (also if it is IPv4-mapped), and for IPv6
 * its /64, because one customer has all of it. A text that is not an address counts for itself, shortened. Null is the command
 * line.
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
