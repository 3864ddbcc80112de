import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { createAddressMatcher } from '../../platform/networks.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The range from which IPv6 addresses for the public Internet are allocated. */
const GLOBAL_IPV6: readonly [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** An address in a public range that belongs to a platform service of Azure. */
const PLATFORM_ADDRESS = '168.63.129.16';

const isPublic = (address: Address) =>
  address.toString() !== PLATFORM_ADDRESS &&
  address.range() === 'unicast' &&
  (address instanceof ipaddr.IPv4 || address.match(...GLOBAL_IPV6));

const isOwnAddress = (address: Address) =>
  Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .some((entry) => ipaddr.process(entry.address).toString() === address.toString());

/**
 * The well-known prefix of IPv6 addresses that contain an IPv4 address. Name servers may return them in networks that
 * have only IPv6 (NAT64 and DNS64, RFC 6052).
 */
const NAT64: readonly [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];
const IPV4_BYTES = 4;

/**
 * The address at which packets to an address arrive: the IPv4 address inside a NAT64 or IPv4-mapped IPv6 address, or
 * otherwise the address itself.
 */
function destinationOf(text: string): Address {
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 && address.match(...NAT64)
    ? new ipaddr.IPv4(address.toByteArray().slice(-IPV4_BYTES))
    : address;
}

/**
 * Returns a function that says whether pages may be fetched from an address: a public one of another machine, or one
 * of the allowed exceptions.
 */
export function createAddressPolicy(allowAddresses: readonly string[]): (address: string) => boolean {
  const isException = createAddressMatcher(allowAddresses);
  return (text) => {
    if (isException(text)) return true;
    if (!ipaddr.isValid(text)) return false;
    const address = destinationOf(text);
    return isException(address.toString()) || (isPublic(address) && !isOwnAddress(address));
  };
}
