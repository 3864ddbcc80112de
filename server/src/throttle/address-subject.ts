import ipaddr from 'ipaddr.js';

const CUSTOMER_PREFIX_BITS = 64;
const MAX_CHARACTERS = 64;

/**
 * Whom an address stands for: an IPv4 address for itself, an IPv4-mapped one for its IPv4 address, an IPv6 address
 * for its /64, of which one customer has all. A text that is no address stands for itself, shortened.
 */
export function addressSubject(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip.slice(0, MAX_CHARACTERS);
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(
    `${address.toNormalizedString()}/${CUSTOMER_PREFIX_BITS}`,
  );
  return `${network.toString()}/${CUSTOMER_PREFIX_BITS}`;
}
