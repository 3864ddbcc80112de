import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { errorCode } from '../../platform/errors.js';
import { withinTime } from '../../platform/within-time.js';
import type { HostAndPort } from './host-and-port.js';
import { Refusal } from './refusals.js';

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

/** How long a result is cached, so that a page with many requests resolves each name once. */
const ANSWER_TTL_MS = 10_000;
const MAX_KEPT_ANSWERS = 5_000;
const LOOKUP_TIMEOUT_MS = 10_000;
/** The minimum time before a name is rejected: name servers respond faster for names of their own network. */
const MIN_REFUSAL_MS = 250;

const NAMESERVER_TIMEOUT_MS = 2_000;
const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA']);

const notPublic = () => new Refusal('nameNotPublic');

const isNotThere = (result: PromiseSettledResult<unknown>) =>
  result.status === 'rejected' && NOT_THERE.has(errorCode(result.reason));

/**
 * Queries the name servers without the thread pool, in which a page with many slow names would delay all
 * other captures. Names that they do not have, and names without a dot, may be in the hosts file.
 */
const systemResolve: Resolve = async (host) => {
  if (!host.includes('.')) return lookup(host, { all: true, verbatim: true });
  const resolver = new Resolver({ timeout: NAMESERVER_TIMEOUT_MS, tries: 2 });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const answers = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  return answers.length === 0 && isNotThere(ipv4) && isNotThere(ipv6)
    ? lookup(host, { all: true, verbatim: true })
    : answers;
};

const systemPause = (ms: number): Promise<void> => pause(ms, undefined, { ref: false });

/**
 * Resolves a host to addresses that may all be connected to. Throws a Refusal if any of them is not allowed.
 * The caller must connect to these addresses and never resolve the name again. For a name, the error does not
 * tell whether it exists on the server's own network.
 */
export function createHostResolver(
  isAllowed: (address: string) => boolean,
  resolve: Resolve = systemResolve,
  pauseFor: (ms: number) => Promise<void> = systemPause,
) {
  const kept = new LRUCache<string, Promise<readonly ResolvedAddress[]>>({
    max: MAX_KEPT_ANSWERS,
    ttl: ANSWER_TTL_MS,
  });

  const askForName = async (host: string) => {
    const earliestRefusal = pauseFor(MIN_REFUSAL_MS);
    const answers = await withinTime(resolve(host), LOOKUP_TIMEOUT_MS, notPublic).catch(() => []);
    if (answers.length > 0 && answers.every(({ address }) => isAllowed(address))) return answers;
    await earliestRefusal;
    throw notPublic();
  };

  const ask = async (host: string) => {
    const family = isIP(host);
    if (family === 0) return askForName(host);
    if (!isAllowed(host)) throw new Refusal('notAllowed');
    return [{ address: host, family }];
  };

  return (host: string): Promise<readonly ResolvedAddress[]> => {
    const known = kept.get(host);
    if (known !== undefined) return known;
    const answer = ask(host);
    kept.set(host, answer);
    answer.catch(() => kept.delete(host));
    return answer;
  };
}

export type HostResolver = ReturnType<typeof createHostResolver>;

const CONNECT_TIMEOUT_MS = 10_000;

/** A lookup that only returns addresses that were already checked. */
export const answering =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true || first === undefined) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

/** Resolves, checks and connects in one step. `isOwn` says whether an address is the guard itself. */
export async function connectUpstream(
  resolveHost: HostResolver,
  { host, port }: HostAndPort,
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
