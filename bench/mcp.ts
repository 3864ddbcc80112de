import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endChild } from './end-child.js';
import { onEnd } from './endings.js';
import { percentile, ratio, round, type Row } from './figures.js';
import type { Load } from './load-figures.js';
import { CONNECTIONS } from './load.js';
import { lookupHeadersOf, lookupOf, type Revision, REVISIONS, type Sdk } from './mcp-messages.js';
import { StdioServer } from './mcp-stdio.js';
import type { BenchOptions } from './options.js';
import type { SignpostProcess } from './signpost-process.js';
import { takeTurns } from './turns.js';

const signpostProgram = join(import.meta.dirname, '../../server/bin/signpost.js');
/** The MCP server as clients start it; it sends each lookup to the Signpost server. */
const clientProgram = join(import.meta.dirname, '../../mcp/bin/signpost-mcp.js');
const bareProgram = join(import.meta.dirname, 'mcp-bare-server.js');

const IN_FLIGHT = [1, 16];
const WARM_UP_SECONDS = 1;
/**
 * Over stdio, Signpost and the bare servers each get this many turns, so that other work on the machine does not slow
 * only some of them.
 */
const TURNS = 9;
const STARTS = 5;

/**
 * The bare servers to compare with: the SDK that ours uses, which serves both revisions, and the older SDK, which
 * serves only the older revision.
 */
const SDKS: Readonly<Record<Revision, readonly Sdk[]>> = {
  '2025-11-25': ['2', '1'],
  '2026-07-28': ['2'],
};

/**
 * Calls of Signpost's tool lookup_postcode, compared in the same run with a tool of that name on the bare SDKs, which
 * returns two words.
 */
export async function benchMcp(signpost: SignpostProcess, options: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const revision of REVISIONS) {
    rows.push(...(await overStdio(signpost, options, revision)));
    rows.push(await overHttp(signpost, options, revision));
  }
  return rows;
}

/**
 * One row of the table. `rates` has Signpost's calls per second first, then those of the bare servers in the order of
 * SDKS.
 */
function row(way: string, revision: Revision, inFlight: number, rates: readonly number[]): Row {
  const [ours = Number.NaN, ...floors] = rates;
  const [current = Number.NaN, older] = floors;
  return {
    lookup_postcode: `${way}, ${revision}`,
    'in flight': inFlight,
    'calls/s': round(ours),
    'bare SDK 2/s': round(current),
    'of SDK 2': ratio(ours, current),
    'bare SDK 1/s': older === undefined ? '–' : round(older),
    'of SDK 1': older === undefined ? '–' : ratio(ours, older),
  };
}

async function overStdio(
  { dataDir }: SignpostProcess,
  { seconds }: BenchOptions,
  revision: Revision,
): Promise<Row[]> {
  const environment = { ...process.env, SIGNPOST_DATA_DIR: dataDir };
  const servers = [
    new StdioServer([signpostProgram, 'mcp'], environment, revision),
    ...SDKS[revision].map((sdk) => new StdioServer([bareProgram, sdk], environment, revision)),
  ];
  for (const server of servers) await server.firstAnswerMs();
  const rows: Row[] = [];
  for (const inFlight of IN_FLIGHT) {
    for (const server of servers) await server.callsPerSecond(inFlight, WARM_UP_SECONDS);
    const rates: number[][] = servers.map(() => []);
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const [index, server] of servers.entries())
        rates[index]?.push(await server.callsPerSecond(inFlight, seconds / TURNS));
    }
    const medians = rates.map((ofServer) => percentile(ofServer, 0.5));
    rows.push(row('stdio', revision, inFlight, medians));
  }
  for (const server of servers) await server.end();
  return rows;
}

async function startBareHttp(sdk: Sdk) {
  const child = spawn(process.execPath, [bareProgram, sdk, 'http'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = onEnd(() => endChild(child));
  const url = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  return { url: url.trim(), end };
}

/** Measures calls at `/mcp` of the server, which finds the key and counts the call. The bare servers do neither. */
async function overHttp(
  { url, apiKey }: SignpostProcess,
  { seconds }: BenchOptions,
  revision: Revision,
): Promise<Row> {
  const floors = await Promise.all(SDKS[revision].map(startBareHttp));
  const load: Load = {
    url: `${url}/mcp`,
    method: 'POST',
    headers: { ...lookupHeadersOf(revision), 'X-Api-Key': apiKey },
    body: JSON.stringify(lookupOf(revision, 1)),
  };
  const figures = await takeTurns([load, ...floors.map((floor) => ({ ...load, url: floor.url }))], seconds);
  for (const floor of floors) await floor.end();
  return row(
    'HTTP',
    revision,
    CONNECTIONS,
    figures.map(({ perSecond }) => perSecond),
  );
}

/** The median time in ms from the start of the process until a client has the answer to its first lookup. */
export async function benchMcpStart({ dataDir, url, apiKey }: SignpostProcess): Promise<Row[]> {
  const environment = {
    ...process.env,
    SIGNPOST_DATA_DIR: dataDir,
    SIGNPOST_BASE_URL: url,
    SIGNPOST_API_KEY: apiKey,
  };
  const rows: Row[] = [];
  for (const revision of REVISIONS) {
    const programs = [
      { title: 'signpost mcp ms', words: [signpostProgram, 'mcp'], times: new Array<number>() },
      { title: 'signpost-mcp ms', words: [clientProgram], times: new Array<number>() },
      { title: 'bare SDK 2 ms', words: [bareProgram, '2'], times: new Array<number>() },
    ];
    for (let start = 0; start < STARTS; start += 1) {
      for (const { words, times } of programs) {
        const server = new StdioServer(words, environment, revision);
        times.push(await server.firstAnswerMs());
        await server.end();
      }
    }
    rows.push({
      'first answer after': `start of the process, ${revision}`,
      ...Object.fromEntries(programs.map(({ title, times }) => [title, round(percentile(times, 0.5))])),
    });
  }
  return rows;
}
