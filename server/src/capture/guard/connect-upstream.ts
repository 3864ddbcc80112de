import { connect, type LookupFunction, type Socket } from 'node:net';
import type { HostAddress } from '../../platform/names/hosts-file.js';
import type { HostAndPort } from './host-and-port.js';
import type { HostResolver } from './host-resolver.js';
import { Refusal } from './refusals.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** A lookup that only returns addresses that were already checked. */
export const answering =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true || first === undefined) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

/** Resolves, checks and connects in one step. `isOwn` says whether an address is the guard itself. */
export async function connectUpstream(
  resolver: HostResolver,
  { host, port }: HostAndPort,
  isOwn: (address: string, port: number) => boolean,
): Promise<Socket> {
  const addresses = await resolver.resolve(host);
  if (addresses.some(({ address }) => isOwn(address, port))) throw new Refusal('notAllowed');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      lookup: answering(addresses),
      autoSelectFamily: true,
      noDelay: true,
    });
    const timer = setTimeout(() => socket.destroy(new Refusal('connectionTimeout')), CONNECT_TIMEOUT_MS);
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
