import { connect, type LookupFunction, type Socket } from 'node:net';
import type { HostAddress } from '../../platform/names/hosts-file.js';
import type { HostAndPort } from './host-and-port.js';
import type { HostResolver } from './host-resolver.js';
import { Rejection } from './rejections.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** Returns a lookup function that returns these addresses, which were already checked, for any host. */
const answering =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true || first === undefined) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

/**
 * Names that mean the machine that resolves them. A proxy that resolves names must not be asked for its own machine.
 */
const OWN_NAME = /^(?:.+\.)?localhost\.?$/iu;

/**
 * Connects to a host, through the proxy for outgoing requests if there is one and the host is not excepted from it.
 * Resolves the name first, and throws a Rejection if pages may not reach one of its addresses, or if the guard itself
 * listens at one, as `reachesGuard` says. A proxy that resolves names gets the name without these checks; only
 * localhost and names below it are then rejected. Also throws a ProxyFailure, or the error of the connection.
 */
export async function connectUpstream(
  resolver: HostResolver,
  target: HostAndPort,
  reachesGuard: (address: string, port: number) => boolean = () => false,
): Promise<Socket> {
  const { host, port } = target;
  const { proxy } = resolver.outbound;
  if (proxy?.resolvesName(host) === true) {
    if (OWN_NAME.test(host)) throw new Rejection('nameNotPublic');
    return proxy.connect([host], port);
  }
  const addresses = await resolver.resolve(host);
  if (addresses.some(({ address }) => reachesGuard(address, port))) throw new Rejection('notAllowed');
  if (proxy === undefined || proxy.isDirect(host, addresses)) return connectDirectly(target, addresses);
  // Here the proxy gets the addresses that were checked, and not the name.
  return proxy.connect(
    addresses.map(({ address }) => address),
    port,
  );
}

function connectDirectly({ host, port }: HostAndPort, addresses: readonly HostAddress[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      lookup: answering(addresses),
      autoSelectFamily: true,
      noDelay: true,
    });
    const timer = setTimeout(() => socket.destroy(new Rejection('connectionTimeout')), CONNECT_TIMEOUT_MS);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
