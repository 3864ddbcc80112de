import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endChild } from './end-child.js';
import { onEnd } from './endings.js';
import { addressesOf, type Load, type LoadFigures } from './load-figures.js';

const run = promisify(execFile);

const UNFINISHED_SECONDS = 600;

const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };

/** Whether wrk is installed. It needs far less processor time than a load generator in JavaScript. */
export const hasWrk = (): Promise<boolean> =>
  run('wrk', ['--version']).then(
    () => true,
    // wrk prints its version and exits with code 1.
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 1,
  );

/** A Lua long string needs no escaping, unless the text contains "]==]". */
const quote = (text: string) => `[==[${text}]==]`;

/** Lua code that assigns one of the servers to each thread of wrk. */
const serversScript = (addresses: readonly string[]) => [
  `local servers = {${addresses.map((address) => `{"${new URL(address).hostname}", "${new URL(address).port}"}`).join(', ')}}`,
  'local threads = 0',
  'function setup(thread)',
  '  threads = threads + 1',
  '  thread:set("at", threads)',
  '  local server = servers[threads]',
  '  thread.addr = wrk.lookup(server[1], server[2])[1]',
  'end',
];

/** Lua code that runs these lines, which fill the list `requests`, and then sends the requests in turn. */
const requestsScript = (filling: readonly string[]) => [
  'local requests = {}',
  'local sent = 0',
  'function init()',
  ...filling.map((line) => `  ${line}`),
  'end',
  'function request()',
  '  sent = sent + 1',
  '  return requests[sent % #requests + 1]',
  'end',
];

/** Lua code with which each thread uses the keys of its server in turn. */
const keysScript = (keys: readonly (readonly string[])[]) => [
  `local keys = {${keys.map((own) => `{${own.map(quote).join(', ')}}`).join(', ')}}`,
  ...requestsScript([
    'for nth, key in ipairs(keys[at]) do',
    '  wrk.headers["X-Api-Key"] = key',
    '  requests[nth] = wrk.format()',
    'end',
  ]),
];

/** Lua code with which each thread sends all requests, in the same order. */
const listedRequestsScript = (requests: NonNullable<Load['requests']>) => [
  `local asked = {${requests.map(({ path, body }) => `{${quote(path)}, ${quote(body ?? '')}}`).join(', ')}}`,
  ...requestsScript([
    'for nth, one in ipairs(asked) do',
    '  requests[nth] = wrk.format(nil, one[1], nil, one[2])',
    'end',
  ]),
];

/** The Lua script that tells wrk what to send. */
const scriptOf = (load: Load) =>
  [
    `wrk.method = "${load.method}"`,
    `wrk.body = ${quote(load.body ?? '')}`,
    ...Object.entries(load.headers).map(([name, value]) => `wrk.headers["${name}"] = ${quote(value)}`),
    ...serversScript(addressesOf(load)),
    ...(load.keys === undefined ? [] : keysScript(load.keys)),
    ...(load.requests === undefined ? [] : listedRequestsScript(load.requests)),
  ].join('\n');

function latencyMs(output: string, percent: string): number {
  const [, value = 'NaN', unit = ''] =
    new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s)`, 'u').exec(output) ?? [];
  return Number(value) * (UNITS[unit] ?? Number.NaN);
}

/**
 * Sends a load with wrk, with one thread per server. Fails if a connection fails or a response has status 400 or
 * higher.
 */
export async function measureByWrk(load: Load, connections: number, seconds: number): Promise<LoadFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'signpost-wrk-'));
  const script = join(folder, 'load.lua');
  await writeFile(script, scriptOf(load));
  const duration = `${Math.max(1, Math.round(seconds))}s`;
  const running = run('wrk', [
    '-t',
    String(addressesOf(load).length),
    '-c',
    String(connections),
    '-d',
    duration,
    // Requests that take longer than the measurement are unfinished, not errors.
    '--timeout',
    `${UNFINISHED_SECONDS}s`,
    '--latency',
    '-s',
    script,
    load.url,
  ]);
  const end = onEnd(async () => {
    await endChild(running.child, 'SIGKILL');
    await rm(folder, { recursive: true });
  });
  try {
    const { stdout } = await running;
    if (/Non-2xx|Socket errors/u.test(stdout))
      throw new Error(`Not every answer of ${load.url} was a success:\n${stdout}`);
    const perSecond = Number(/Requests\/sec:\s+([\d.]+)/u.exec(stdout)?.[1]);
    return { perSecond, p50Ms: latencyMs(stdout, '50'), p99Ms: latencyMs(stdout, '99') };
  } finally {
    await end();
  }
}
