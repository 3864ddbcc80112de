import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endChild } from './end-child.js';
import { onEnd } from './endings.js';
import { percentile, round, type Row } from './figures.js';
import type { Load } from './load-figures.js';
import { CONNECTIONS } from './load.js';
import { lookupHeadersOf, lookupOf, type Revision, REVISIONS } from './mcp-messages.js';
import { StdioServer } from './mcp-stdio.js';
import type { BenchOptions } from './options.js';
import type { SignpostProcess } from './signpost-process.js';
import { takeTurns } from './turns.js';

const signpostProgram = join(import.meta.dirname, '../../server/bin/signpost.js');
/** Asks the server for each lookup. */
const clientProgram = join(import.meta.dirname, '../../mcp/bin/signpost-mcp.js');
const bareProgram = join(import.meta.dirname, 'mcp-bare-server.js');

const IN_FLIGHT = [1, 16];
const WARM_UP_SECONDS = 1;
/** Ours and the floor take turns, so that what else the machine does falls on both. */
const TURNS = 3;
const STARTS = 5;

/** Calls of one tool, ours beside a tool that answers two words on the bare SDK, in the same run. */
export async function benchMcp(signpost: SignpostProcess, options: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const revision of REVISIONS) {
    rows.push(...(await overStdio(signpost, options, revision)));
    rows.push(await overHttp(signpost, options, revision));
  }
  return rows;
}

const row = (way: string, revision: Revision, inFlight: number, ours: number, bare: number): Row => ({
  lookup_postcode: `${way}, ${revision}`,
  'in flight': inFlight,
  'calls/s': round(ours),
  'bare SDK/s': round(bare),
  'of bare SDK': round(ours / bare, 2),
});

async function overStdio(
  { dataDir }: SignpostProcess,
  { seconds }: BenchOptions,
  revision: Revision,
): Promise<Row[]> {
  const environment = { ...process.env, SIGNPOST_DATA_DIR: dataDir };
  const servers = [
    new StdioServer([signpostProgram, 'mcp'], environment, revision),
    new StdioServer([bareProgram, revision], environment, revision),
  ];
  for (const server of servers) await server.firstAnswerMs();
  const rows: Row[] = [];
  for (const inFlight of IN_FLIGHT) {
    for (const server of servers) await server.callsPerSecond(inFlight, WARM_UP_SECONDS);
    const sums = [0, 0];
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const [index, server] of servers.entries())
        sums[index] = (sums[index] ?? 0) + (await server.callsPerSecond(inFlight, seconds / TURNS));
    }
    const [ours = Number.NaN, bare = Number.NaN] = sums.map((sum) => sum / TURNS);
    rows.push(row('stdio', revision, inFlight, ours, bare));
  }
  for (const server of servers) await server.end();
  return rows;
}

async function startBareHttp(revision: Revision) {
  const child = spawn(process.execPath, [bareProgram, revision, 'http'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = onEnd(() => endChild(child));
  const url = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  return { url: url.trim(), end };
}

/** At `/mcp` of the server, with the key found, the call counted and stored; the floor does neither. */
async function overHttp(
  { url, apiKey }: SignpostProcess,
  { seconds }: BenchOptions,
  revision: Revision,
): Promise<Row> {
  const bareServer = await startBareHttp(revision);
  const load: Load = {
    url: `${url}/mcp`,
    method: 'POST',
    headers: { ...lookupHeadersOf(revision), 'X-Api-Key': apiKey },
    body: JSON.stringify(lookupOf(revision, 1)),
  };
  const [ours, bare] = await takeTurns([load, { ...load, url: bareServer.url }], seconds);
  await bareServer.end();
  return row('HTTP', revision, CONNECTIONS, ours?.perSecond ?? Number.NaN, bare?.perSecond ?? Number.NaN);
}

/** How long a client waits from the start of the process to its first lookup, the median of some starts. */
export async function benchMcpStart({ dataDir, url, apiKey }: SignpostProcess): Promise<Row[]> {
  const environment = {
    ...process.env,
    ...{ SIGNPOST_DATA_DIR: dataDir, SIGNPOST_BASE_URL: url, SIGNPOST_API_KEY: apiKey },
  };
  const rows: Row[] = [];
  for (const revision of REVISIONS) {
    const programs = [
      { title: 'signpost mcp ms', words: [signpostProgram, 'mcp'], times: new Array<number>() },
      { title: 'signpost-mcp ms', words: [clientProgram], times: new Array<number>() },
      { title: 'bare SDK ms', words: [bareProgram, revision], times: new Array<number>() },
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
