import { Resolver } from 'node:dns/promises';
import { errorCode } from '../errors.js';
import { withinTime } from '../within-time.js';
import { openHostsFile, type HostAddress } from './hosts-file.js';
import { openSearchDomains } from './search-domains.js';

/**
 * Why no addresses were found: the name does not exist or has none (`notFound`); no name server answered, or none in
 * time, or the lookup was cancelled (`noAnswer`); or a name server answered with an error (`serverFailure`).
 */
export type LookupProblem = 'notFound' | 'noAnswer' | 'serverFailure';

export class LookupFailure extends Error {
  constructor(
    readonly problem: LookupProblem,
    /** The resolver's own code, such as ESERVFAIL. */
    readonly code: string,
  ) {
    super(`The name was not resolved (${code}).`);
    this.name = 'LookupFailure';
  }
}

/** The lookups on behalf of one user, such as a capture. They can be cancelled together. */
export interface NameLookups {
  /** Returns the addresses of a name. Throws a LookupFailure if it finds none, after a few seconds at the latest. */
  lookUp(name: string): Promise<readonly HostAddress[]>;
  /** Cancels the lookups under way. Later ones that need a name server fail at once. */
  end(): void;
}

interface NameSources {
  /** A hosts file to use instead of the system's; null for none. */
  readonly hostsFile?: string | null | undefined;
  readonly resolvConf?: string | undefined;
  /** Name servers to use instead of the system's, such as "127.0.0.1:5353". */
  readonly nameServers?: readonly string[] | undefined;
  readonly times?: LookupTimes;
}

export interface LookupTimes {
  /** How long one name server may take at the first try. The second and last try may take twice that. */
  readonly serverMs: number;
  /** How long all questions about one name may take together. */
  readonly lookupMs: number;
  /**
   * Once a name server has returned addresses of one family, or "no such name", the query for the other family gets
   * this much longer, because some name servers never answer queries for AAAA records.
   */
  readonly otherFamilyMs: number;
}

/**
 * With these times, both tries with a single silent name server fit into the whole time. If the first of several name
 * servers is silent, there is still time for the answer of the second one.
 */
const TIMES: LookupTimes = { serverMs: 1_200, lookupMs: 5_000, otherFamilyMs: 1_000 };
const TRIES = 2;

const LOOPBACK: readonly HostAddress[] = [{ address: '127.0.0.1', family: 4 }];
const LOCALHOST = /^(?:.+\.)?localhost$/u;
/** Names that no name server may be asked for: RFC 6761 and RFC 7686. */
const NOWHERE = /(?:^|\.)(?:invalid|onion)$/u;

const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EBADQUERY']);
const SERVER_FAILURES = new Set(['ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR', 'EBADRESP', 'EBADFAMILY']);

interface FamilyAnswer {
  readonly addresses: readonly HostAddress[];
  /** The resolver's code. It matters only if there are no addresses. */
  readonly code: string;
}

const TOO_LATE: FamilyAnswer = { addresses: [], code: 'ETIMEOUT' };
const tooLate = () => new LookupFailure('noAnswer', TOO_LATE.code);
const cancelled = () => new LookupFailure('noAnswer', 'ECANCELLED');

const toFamilyAnswer = (query: Promise<readonly string[]>, family: number): Promise<FamilyAnswer> =>
  query.then(
    (addresses) => ({ addresses: addresses.map((address) => ({ address, family })), code: 'ENODATA' }),
    (error: unknown) => ({ addresses: [], code: errorCode(error) || 'EUNKNOWN' }),
  );

/**
 * Returns the answer for one address family, or TOO_LATE if there is none `maxMs` after the other family has returned
 * addresses or "no such name". Waits even after "no such name", because some name servers say so for a name that only
 * has no AAAA records.
 */
function waitBrieflyAfter(
  otherFamily: Promise<FamilyAnswer>,
  answer: Promise<FamilyAnswer>,
  maxMs: number,
): Promise<FamilyAnswer> {
  const limitedAnswer = otherFamily.then(({ addresses, code }) => {
    const isDecided = addresses.length > 0 || code === 'ENOTFOUND';
    return isDecided ? withinTime(answer, maxMs, tooLate).catch(() => TOO_LATE) : answer;
  });
  return Promise.race([answer, limitedAnswer]);
}

/**
 * Combines the failures of both address families into one. A name that exists but has addresses of neither family
 * counts as not found.
 */
function failureOf(codes: readonly string[]): LookupFailure {
  // The answer "no such name" holds for both families, "no such record" only for the family that was asked for.
  if (codes.includes('ENOTFOUND')) return new LookupFailure('notFound', 'ENOTFOUND');
  const failed = codes.find((code) => !NOT_THERE.has(code));
  if (failed === undefined) return new LookupFailure('notFound', codes[0] ?? 'ENODATA');
  const serverFailure = codes.find((code) => SERVER_FAILURES.has(code));
  return serverFailure === undefined
    ? new LookupFailure('noAnswer', failed)
    : new LookupFailure('serverFailure', serverFailure);
}

/**
 * The full names to ask for, in order. A name that ends with a dot is only tried unchanged. A name with another dot is
 * tried unchanged first, a name without a dot within the search domains first.
 */
function candidates(host: string, searchDomains: readonly string[]): readonly string[] {
  if (host.endsWith('.')) return [host];
  const within = searchDomains.map((domain) => `${host}.${domain}`);
  return host.includes('.') ? [host, ...within] : [...within, host];
}

class SystemLookups implements NameLookups {
  #resolver: Resolver | undefined;
  #hasEnded = false;

  readonly #hosts: (name: string) => readonly HostAddress[];
  readonly #searchDomains: () => readonly string[];
  readonly #nameServers: readonly string[] | undefined;
  readonly #times: LookupTimes;

  constructor(
    hosts: (name: string) => readonly HostAddress[],
    searchDomains: () => readonly string[],
    nameServers: readonly string[] | undefined,
    times: LookupTimes,
  ) {
    this.#hosts = hosts;
    this.#searchDomains = searchDomains;
    this.#nameServers = nameServers;
    this.#times = times;
  }

  async lookUp(name: string): Promise<readonly HostAddress[]> {
    const host = name.toLowerCase();
    const bare = host.replace(/\.$/u, '');
    const listed = this.#hosts(bare);
    if (listed.length > 0) return listed;
    if (LOCALHOST.test(bare)) return LOOPBACK;
    if (bare === '' || NOWHERE.test(bare)) throw new LookupFailure('notFound', 'ENOTFOUND');
    return withinTime(this.#queryServers(host), this.#times.lookupMs, tooLate);
  }

  end(): void {
    this.#hasEnded = true;
    this.#resolver?.cancel();
  }

  async #queryServers(host: string): Promise<readonly HostAddress[]> {
    for (const candidate of candidates(host, this.#searchDomains())) {
      if (this.#hasEnded) throw cancelled();
      const answers = await this.#queryBothFamilies(candidate);
      const addresses = answers.flatMap((answer) => answer.addresses);
      if (addresses.length > 0) return addresses;
      const failure = failureOf(answers.map(({ code }) => code));
      if (failure.problem !== 'notFound') throw failure;
    }
    throw new LookupFailure('notFound', 'ENOTFOUND');
  }

  async #queryBothFamilies(name: string): Promise<readonly FamilyAnswer[]> {
    const resolver = (this.#resolver ??= this.#openResolver());
    const ipv4 = toFamilyAnswer(resolver.resolve4(name), 4);
    const ipv6 = toFamilyAnswer(resolver.resolve6(name), 6);
    const { otherFamilyMs } = this.#times;
    return Promise.all([
      waitBrieflyAfter(ipv6, ipv4, otherFamilyMs),
      waitBrieflyAfter(ipv4, ipv6, otherFamilyMs),
    ]);
  }

  /** Reads resolv.conf, so that these lookups use the current name servers, unless `nameServers` is set. */
  #openResolver(): Resolver {
    const resolver = new Resolver({ timeout: this.#times.serverMs, tries: TRIES });
    if (this.#nameServers !== undefined) resolver.setServers(this.#nameServers);
    return resolver;
  }
}

/**
 * Returns a function that opens lookups. They work like the system's: first the hosts file, then the name servers
 * with the search domains of resolv.conf. Unlike the system's own function, they need no thread, so that names with
 * silent servers do not delay other users, and they can be cancelled.
 */
export function openSystemNames({
  hostsFile,
  resolvConf,
  nameServers,
  times = TIMES,
}: NameSources = {}): () => NameLookups {
  const hosts = hostsFile === null ? () => [] : openHostsFile(hostsFile);
  const searchDomains = openSearchDomains(resolvConf);
  return () => new SystemLookups(hosts, searchDomains, nameServers, times);
}
