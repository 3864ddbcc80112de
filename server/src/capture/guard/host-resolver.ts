import { setTimeout as pause } from 'node:timers/promises';
import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { HostAddress } from '../../platform/names/hosts-file.js';
import type { Outbound } from '../../platform/outbound/outbound-proxy.js';
import { LookupFailure, type LookupProblem, type NameLookups } from '../../platform/names/name-lookups.js';
import { Rejection, type RejectionReason } from './rejections.js';

/** How long the addresses of a name are cached, so that a page with many requests asks only once. */
const ANSWER_TTL_MS = 10_000;
const MAX_KEPT_ANSWERS = 5_000;
/**
 * A lookup of a name is not rejected sooner than this. Name servers respond faster for names of their own network,
 * which the time of a rejection must not reveal.
 */
const MIN_REJECTION_MS = 250;

/** How many names may be looked up for one browser context: enough for pages full of advertisements. */
const MAX_NAMES = 300;
/**
 * How many names may be looked up for one browser context at the same time: as many as a browser has connections to its
 * proxy.
 */
const MAX_LOOKUPS_AT_ONCE = 32;

/** Resolves the names for one browser context, or for one request of the server itself. */
export interface HostResolver {
  /**
   * Resolves a host to addresses, to all of which a connection is allowed. Throws a Rejection if one of the addresses
   * is not allowed, if none is found, if the lookup fails, or if too many names were looked up. The caller must
   * connect to exactly these addresses and never resolve the name again. The rejection of a name does not reveal
   * whether it exists on the server's own network.
   */
  resolve(host: string): Promise<readonly HostAddress[]>;
  /** How connections to the addresses leave the machine. */
  readonly outbound: Outbound;
  /** Cancels the lookups that are running. */
  end(): void;
}

interface ResolverOptions {
  readonly isAllowed: (address: string) => boolean;
  readonly openLookups: () => NameLookups;
  readonly pauseFor?: (ms: number) => Promise<void>;
  readonly maxNames?: number;
  /** How connections leave the machine: directly, if undefined. */
  readonly outbound?: Outbound | undefined;
  /** Called with each name whose addresses are all allowed. */
  readonly onFound?: (name: string) => void;
}

const DIRECTLY: Outbound = { proxy: undefined, ca: undefined };

const REASONS: Readonly<Record<LookupProblem, RejectionReason>> = {
  notFound: 'nameNotPublic',
  noAnswer: 'nameNotAnswered',
  serverFailure: 'nameServersFailed',
};

const rejectionOf = (error: unknown) =>
  error instanceof LookupFailure
    ? new Rejection(REASONS[error.problem], { cause: error })
    : new Rejection('nameNotPublic', { cause: error });

const systemPause = (ms: number): Promise<void> => pause(ms, undefined, { ref: false });

class CheckingResolver implements HostResolver {
  readonly #lookups: NameLookups;
  /**
   * Lookups by name, including rejected ones, so that name servers are asked only once however often the page asks.
   */
  readonly #pending = new Map<string, Promise<readonly HostAddress[]>>();
  #runningLookups = 0;
  readonly #waiting: (() => void)[] = [];

  readonly #options: ResolverOptions & { readonly pauseFor: (ms: number) => Promise<void> };
  readonly #cache: LRUCache<string, readonly HostAddress[]>;

  constructor(
    options: ResolverOptions & { readonly pauseFor: (ms: number) => Promise<void> },
    cache: LRUCache<string, readonly HostAddress[]>,
  ) {
    this.#options = options;
    this.#cache = cache;
    this.#lookups = options.openLookups();
  }

  get outbound(): Outbound {
    return this.#options.outbound ?? DIRECTLY;
  }

  async resolve(host: string): Promise<readonly HostAddress[]> {
    const family = isIP(host);
    if (family !== 0) {
      if (!this.#options.isAllowed(host)) throw new Rejection('notAllowed');
      return [{ address: host, family }];
    }
    return this.#cache.get(host) ?? this.#pending.get(host) ?? this.#startLookup(host);
  }

  end(): void {
    this.#lookups.end();
  }

  #startLookup(host: string): Promise<readonly HostAddress[]> {
    if (this.#pending.size >= (this.#options.maxNames ?? MAX_NAMES))
      return Promise.reject(new Rejection('tooManyNames'));
    const asking = this.#lookUpWhenFree(host);
    this.#pending.set(host, asking);
    return asking;
  }

  /** Looks up a host as soon as fewer than MAX_LOOKUPS_AT_ONCE lookups are running. */
  async #lookUpWhenFree(host: string): Promise<readonly HostAddress[]> {
    if (this.#runningLookups >= MAX_LOOKUPS_AT_ONCE) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#runningLookups += 1;
    try {
      return await this.#lookUp(host);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#runningLookups -= 1;
      else next();
    }
  }

  async #lookUp(host: string): Promise<readonly HostAddress[]> {
    const { isAllowed, pauseFor } = this.#options;
    const earliestRejection = pauseFor(MIN_REJECTION_MS);
    try {
      const addresses = await this.#lookups.lookUp(host);
      if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address)))
        throw new Rejection('nameNotPublic');
      this.#cache.set(host, addresses);
      this.#options.onFound?.(host);
      return addresses;
    } catch (error) {
      await earliestRejection;
      throw error instanceof Rejection ? error : rejectionOf(error);
    }
  }
}

/** Returns a function that opens a resolver. All of these resolvers share the addresses that were recently allowed. */
export function createHostResolvers({
  pauseFor = systemPause,
  ...options
}: ResolverOptions): () => HostResolver {
  const cache = new LRUCache<string, readonly HostAddress[]>({ max: MAX_KEPT_ANSWERS, ttl: ANSWER_TTL_MS });
  return () => new CheckingResolver({ ...options, pauseFor }, cache);
}
