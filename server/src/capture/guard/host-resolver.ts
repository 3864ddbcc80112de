import { setTimeout as pause } from 'node:timers/promises';
import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { HostAddress } from '../../platform/names/hosts-file.js';
import type { Outbound } from '../../platform/outbound/outbound-proxy.js';
import { LookupFailure, type LookupProblem, type NameLookups } from '../../platform/names/name-lookups.js';
import { Rejection, type RejectionReason } from './rejections.js';

/** How long the addresses of a name are kept, so that a page of many requests asks once. */
const ANSWER_TTL_MS = 10_000;
const MAX_KEPT_ANSWERS = 5_000;
/** How long a name is refused after at the least: name servers answer sooner for names of their own network. */
const MIN_REJECTION_MS = 250;

/** How many names one capture may look up. Pages full of advertisements have about 200. */
const MAX_NAMES = 300;
/** How many names one capture may look up at the same time, as many as a browser has connections to its proxy. */
const MAX_LOOKUPS_AT_ONCE = 32;

/** The names of one capture, or of one download. */
export interface HostResolver {
  /**
   * Resolves a host to addresses that may all be connected to. Throws a Rejection if any address is not allowed, or if
   * no address is found. The caller must connect to these very addresses and never resolve the name again. For a name, the
   * rejection does not reveal whether it exists on the server's own network.
   */
  resolve(host: string): Promise<readonly HostAddress[]>;
  /** How connections to the addresses leave the machine. */
  readonly outbound: Outbound;
  /** Cancels the lookups under way. */
  end(): void;
}

interface ResolverOptions {
  readonly isAllowed: (address: string) => boolean;
  readonly openLookups: () => NameLookups;
  readonly pauseFor?: (ms: number) => Promise<void>;
  readonly maxNames?: number;
  /** Directly, if undefined. */
  readonly outbound?: Outbound | undefined;
  /** Hears the names whose addresses are all allowed. */
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

class CheckedNames implements HostResolver {
  readonly #lookups: NameLookups;
  /** Found addresses and rejections, so that the name servers are asked once however often the page asks. */
  readonly #asked = new Map<string, Promise<readonly HostAddress[]>>();
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  readonly #options: ResolverOptions & { readonly pauseFor: (ms: number) => Promise<void> };
  readonly #kept: LRUCache<string, readonly HostAddress[]>;

  constructor(
    options: ResolverOptions & { readonly pauseFor: (ms: number) => Promise<void> },
    kept: LRUCache<string, readonly HostAddress[]>,
  ) {
    this.#options = options;
    this.#kept = kept;
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
    return this.#kept.get(host) ?? this.#asked.get(host) ?? this.#ask(host);
  }

  end(): void {
    this.#lookups.end();
  }

  #ask(host: string): Promise<readonly HostAddress[]> {
    if (this.#asked.size >= (this.#options.maxNames ?? MAX_NAMES))
      return Promise.reject(new Rejection('tooManyNames'));
    const asking = this.#inTurn(host);
    this.#asked.set(host, asking);
    return asking;
  }

  /** Looks up a host once fewer than the most allowed lookups are under way. */
  async #inTurn(host: string): Promise<readonly HostAddress[]> {
    if (this.#underWay >= MAX_LOOKUPS_AT_ONCE) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#underWay += 1;
    try {
      return await this.#lookUp(host);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay -= 1;
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
      this.#kept.set(host, addresses);
      this.#options.onFound?.(host);
      return addresses;
    } catch (error) {
      await earliestRejection;
      throw error instanceof Rejection ? error : rejectionOf(error);
    }
  }
}

/** Returns what opens the resolver of a capture or a download. They share the addresses that were allowed lately. */
export function createHostResolvers({
  pauseFor = systemPause,
  ...options
}: ResolverOptions): () => HostResolver {
  const kept = new LRUCache<string, readonly HostAddress[]>({ max: MAX_KEPT_ANSWERS, ttl: ANSWER_TTL_MS });
  return () => new CheckedNames({ ...options, pauseFor }, kept);
}
