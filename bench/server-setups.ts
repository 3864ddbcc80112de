import { operations } from '@signpost/contract';
import type { Load } from './load-figures.js';

const BODY = JSON.stringify({ postcode: 'SW1A 1AA' });
const JSON_BODY = { 'Content-Type': 'application/json' };
const PATH = operations.lookupPostcode.path;

interface Process {
  readonly url: string;
  readonly pid: number;
}

/** Servers that do the same work for the same callers. */
export interface Setup {
  readonly server: string;
  readonly database: string;
  readonly urls: readonly string[];
  /** The processes whose processor time is measured: the servers, and PostgreSQL if they use it. */
  readonly pids: readonly number[];
  readonly keys: string;
  /** The keys to use at each server, in the order of `urls`; unset for bare servers, which need no key. */
  readonly keysAt?: readonly (readonly string[])[];
}

interface ServerGroup {
  readonly database: string;
  readonly servers: readonly Process[];
  readonly databasePids: readonly number[];
  readonly keys: readonly string[];
}

/**
 * The same servers and database with one key, with several keys at every server, and, if there are several servers,
 * with each key at only one of them.
 */
export function setupsOf({ database, servers, databasePids, keys }: ServerGroup): Setup[] {
  const setup = (words: string, keysAt: readonly (readonly string[])[]): Setup => ({
    server: 'signpost',
    database,
    urls: servers.map(({ url }) => url),
    pids: [...servers.map(({ pid }) => pid), ...databasePids],
    keys: words,
    keysAt,
  });
  const oneKey = servers.map(() => keys.slice(0, 1));
  const allKeys = servers.map(() => keys);
  const dividedKeys = servers.map((_, index) => keys.filter((_key, nth) => nth % servers.length === index));
  return [
    setup('1', oneKey),
    setup(`${keys.length}`, allKeys),
    ...(servers.length === 1 ? [] : [setup(`${keys.length}, each at one server`, dividedKeys)]),
  ];
}

export const floorOf = (floors: readonly Process[]): Setup => ({
  server: 'bare node:http',
  database: 'none',
  urls: floors.map(({ url }) => url),
  pids: floors.map(({ pid }) => pid),
  keys: 'none',
});

/** Lookups at all servers of a setup. */
export function loadOf({ urls, keysAt }: Setup): Load {
  const [first = '', ...others] = urls.map((url) => url + PATH);
  const keys = keysAt === undefined ? {} : { keys: keysAt };
  return { url: first, alsoAt: others, method: 'POST', headers: JSON_BODY, ...keys, body: BODY };
}

/** Sends one lookup. Returns the body of the response. */
export async function answerOf({ url }: Process, apiKey: string): Promise<string> {
  const headers = { ...JSON_BODY, 'X-Api-Key': apiKey };
  const response = await fetch(url + PATH, { method: 'POST', headers, body: BODY });
  if (!response.ok) throw new Error(`${PATH} answered ${response.status}.`);
  return response.text();
}
