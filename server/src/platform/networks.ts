import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

const isWithin = (address: Address, [network, bits]: Network) => {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
};

const MAPPED_BITS = 96;

/** Parses an address or a network. Converts IPv4-mapped IPv6 ones to IPv4, as `ipaddr.process` does for addresses. */
const toNetwork = (text: string): Network => {
  if (text.includes('/')) {
    const [address, bits] = ipaddr.parseCIDR(text);
    return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS
      ? [address.toIPv4Address(), bits - MAPPED_BITS]
      : [address, bits];
  }
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
};

/** Whether this is a loopback address, at which every machine reaches itself. */
export const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

const LOCAL_NAME = /^(?:.+\.)?localhost$/iu;

/**
 * Like `isLoopbackAddress`, for the host of a URL or a setting: also accepts localhost, names that end in .localhost,
 * and addresses in brackets.
 */
export const isLoopbackHost = (host: string): boolean =>
  LOCAL_NAME.test(host) || isLoopbackAddress(host.replaceAll(/[[\]]/gu, ''));

/**
 * Returns a function that says whether an address, in any notation, is in a list of addresses and networks; false for a
 * text that is not an address.
 */
export function createAddressMatcher(list: readonly string[]): (address: string) => boolean {
  const networks = list.map(toNetwork);
  return (text) => {
    if (networks.length === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return networks.some((network) => isWithin(address, network));
  };
}
