import { createSocket } from 'node:dgram';
import type { HostAddress } from '../../platform/names/hosts-file.js';
import {
  LookupFailure,
  type LookupProblem,
  type LookupTimes,
  type NameLookups,
} from '../../platform/names/name-lookups.js';

/** Looks up names and returns why the network cannot be used, in words; undefined if it can, or if there are no names. */
export type NetworkProbe = (names: readonly string[]) => Promise<string | undefined>;

const PROBLEMS: Readonly<Record<Exclude<LookupProblem, 'notFound'>, string>> = {
  noAnswer: 'no name server answers',
  serverFailure: 'the name servers answer every question with a failure',
};
const NO_ROUTE = 'the network has no route to other machines';

/** A probe answers soon: its caller waits for it after a capture has failed. */
export const PROBE_TIMES: LookupTimes = { serverMs: 800, lookupMs: 2_500, otherFamilyMs: 200 };

/** Any port: nothing is sent. */
const ROUTE_PORT = 9;

/** Whether the system knows a route to an address. It sends no packet, so nobody learns of the question. */
export function hasRoute({ address, family }: HostAddress): Promise<boolean> {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  return new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.once('connect', () => resolve(true));
    socket.connect(ROUTE_PORT, address);
  }).finally(() => socket.close());
}

async function problemWith(
  name: string,
  { lookUp }: Pick<NameLookups, 'lookUp'>,
  isRouted: typeof hasRoute,
): Promise<string | undefined> {
  try {
    const routes = await Promise.all((await lookUp(name)).map(isRouted));
    return routes.includes(true) ? undefined : NO_ROUTE;
  } catch (error) {
    // A name server that denies a name has answered.
    if (!(error instanceof LookupFailure) || error.problem === 'notFound') return undefined;
    return PROBLEMS[error.problem];
  }
}

/** Asks the name servers for all names at once. One that they have, and to which there is a route, is enough. */
export const createNetworkProbe =
  (openLookups: () => NameLookups, isRouted = hasRoute): NetworkProbe =>
  async (names) => {
    const lookups = openLookups();
    const lookUp = (name: string) => lookups.lookUp(name);
    try {
      const problems = await Promise.all(names.map((name) => problemWith(name, { lookUp }, isRouted)));
      return problems.includes(undefined) ? undefined : problems[0];
    } finally {
      lookups.end();
    }
  };
