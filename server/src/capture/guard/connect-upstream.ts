import { connect, type LookupFunction, type Socket } from 'node:net';
import { errorCode } from '../../error-code.js';
import { Refusal, type HostResolver, type RefusalReason, type ResolvedAddress } from './host-resolver.js';

const CONNECT_TIMEOUT_MS = 10_000;

const REASONS: Readonly<Record<string, RefusalReason>> = {
  ECONNREFUSED: 'connectionRefused',
  ETIMEDOUT: 'connectionTimeout',
};

/** The reason of a failed connection; an error of several tried addresses counts as its first. */
export function reasonOf(error: unknown): RefusalReason {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return REASONS[errorCode(error)] ?? 'unreachable';
}

/** A lookup that answers nothing but addresses that were checked before. */
const answering =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true || first === undefined) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

/** Resolves, checks and connects in one go; `isOwn` says what is the guard itself. */
export async function connectUpstream(
  resolveHost: HostResolver,
  host: string,
  port: number,
  isOwn: (address: string, port: number) => boolean,
): Promise<Socket> {
  const addresses = await resolveHost(host);
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
