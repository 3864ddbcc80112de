import { request } from 'node:http';
import { operations } from '@signpost/contract';
import { cpuTimeMs, ownCpuTimeMs } from '../cpu-time.js';
import { ratio, round, type Row } from '../figures.js';
import type { Load } from '../load-figures.js';
import { measureLoad } from '../load.js';
import { loadOf } from '../server-setups.js';
import { takeTurns } from '../turns.js';

/** A server whose lookups are measured. */
export interface MeasuredServer {
  readonly name: string;
  readonly database: string;
  readonly url: string;
  readonly pid: number;
  readonly databasePid?: number;
  readonly keys?: readonly string[];
  /** Bytes that the database has written to its write-ahead log so far. */
  readonly logBytes?: () => Promise<number>;
}

/** Total costs of a number of lookups. */
interface Costs {
  answers: number;
  serverMs: number;
  databaseMs: number;
  batches: number;
  batchSeconds: number;
  logBytes: number;
  perSecond: number;
}

const MICROSECONDS = 1_000;
const BATCHES = 'signpost_database_batch_duration_seconds';
const NOTHING: Costs = {
  answers: 0,
  serverMs: 0,
  databaseMs: 0,
  batches: 0,
  batchSeconds: 0,
  logBytes: 0,
  perSecond: 0,
};

async function batchesOf(url: string): Promise<{ batches: number; batchSeconds: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const valueOf = (name: string) =>
    Number(new RegExp(`^${BATCHES}_${name} (\\S+)$`, 'mu').exec(text)?.[1] ?? 0);
  return { batches: valueOf('count'), batchSeconds: valueOf('sum') };
}

async function costsSoFar({ url, pid, databasePid, keys, logBytes }: MeasuredServer): Promise<Costs> {
  return {
    ...NOTHING,
    serverMs: await ownCpuTimeMs(pid),
    databaseMs: databasePid === undefined ? 0 : ((await cpuTimeMs([databasePid])) ?? Number.NaN),
    logBytes: (await logBytes?.()) ?? 0,
    ...(keys === undefined ? {} : await batchesOf(url)),
  };
}

const sum = (one: Costs, other: Costs, sign: 1 | -1): Costs => ({
  answers: one.answers + sign * other.answers,
  serverMs: one.serverMs + sign * other.serverMs,
  databaseMs: one.databaseMs + sign * other.databaseMs,
  batches: one.batches + sign * other.batches,
  batchSeconds: one.batchSeconds + sign * other.batchSeconds,
  logBytes: one.logBytes + sign * other.logBytes,
  perSecond: one.perSecond,
});

/** Sends lookups to the servers in turns. Returns the costs by server. */
export async function measureCosts(
  servers: readonly MeasuredServer[],
  seconds: number,
): Promise<ReadonlyMap<MeasuredServer, Costs>> {
  const serverOf = new Map<Load, MeasuredServer>(
    servers.map((one) => {
      const { name, database, url, pid, keys } = one;
      const keysAt = keys === undefined ? {} : { keysAt: [keys] };
      return [loadOf({ server: name, database, urls: [url], pids: [pid], keys: '', ...keysAt }), one];
    }),
  );
  const total = new Map<MeasuredServer, Costs>();
  const measure: typeof measureLoad = async (load, connections, turnSeconds) => {
    const server = serverOf.get(load);
    if (server === undefined) throw new Error('This load goes to no server that is measured.');
    const before = await costsSoFar(server);
    const began = performance.now();
    const figures = await measureLoad(load, connections, turnSeconds);
    const answers = figures.perSecond * ((performance.now() - began) / 1000);
    const spent = { ...sum(await costsSoFar(server), before, -1), answers };
    total.set(server, sum(total.get(server) ?? NOTHING, spent, 1));
    return figures;
  };
  const figures = await takeTurns([...serverOf.keys()], seconds, undefined, measure);
  for (const [at, server] of [...serverOf.values()].entries())
    total.set(server, { ...(total.get(server) ?? NOTHING), perSecond: figures[at]?.perSecond ?? Number.NaN });
  return total;
}

/** The number of bytes of request and response on the connection for one lookup. */
export const bytesOf = ({ url, keys = [] }: MeasuredServer): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'X-Api-Key': keys[0] ?? '' };
    const sent = request(
      url + operations.lookupPostcode.path,
      { method: 'POST', headers, agent: false },
      (answer) => {
        const { socket } = answer;
        answer.resume().once('end', () => resolve(socket.bytesRead + socket.bytesWritten));
      },
    );
    sent.once('error', reject);
    sent.end(JSON.stringify({ postcode: 'SW1A 1AA' }));
  });

/**
 * A row for each server: how many lookups one core can answer per second, and what one lookup costs. Compares each
 * server with the first.
 */
export async function coreRows(costs: ReadonlyMap<MeasuredServer, Costs>): Promise<Row[]> {
  const rows: Row[] = [];
  const cpuOf = ({ serverMs, answers }: Costs) => (serverMs * MICROSECONDS) / answers;
  const [floor = NOTHING] = costs.values();
  for (const [server, own] of costs)
    rows.push({
      server: server.name,
      database: server.database,
      keys: server.keys?.length ?? 0,
      'lookups/s': round(own.perSecond),
      'CPU µs each': round(cpuOf(own), 1),
      'of one core/s': round(1_000_000 / cpuOf(own)),
      'of the floor': ratio(cpuOf(floor), cpuOf(own)),
      'database CPU µs each': round((own.databaseMs * MICROSECONDS) / own.answers, 1),
      'bytes each': await bytesOf(server),
    });
  return rows;
}

/** The database's cost of one batch of lookups. */
export const batchRow = (what: string, { batches, ...costs }: Costs): Row => ({
  commit: what,
  'lookups each': round(costs.answers / batches, 1),
  'commits/s': round((batches / costs.answers) * costs.perSecond),
  'ms each': round((costs.batchSeconds * 1000) / batches, 2),
  'CPU µs each': round((costs.databaseMs * MICROSECONDS) / batches),
  'bytes of log each': round(costs.logBytes / batches),
});
