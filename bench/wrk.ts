import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Load, LoadFigures } from './load-figures.js';

const run = promisify(execFile);

const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };

/** Whether wrk, which takes far less of the machine than a load generator in JavaScript, is installed. */
export const hasWrk = (): Promise<boolean> =>
  run('wrk', ['--version']).then(
    () => true,
    // Its version comes with exit code 1.
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 1,
  );

/** What a load says to wrk: a script in Lua, whose long strings need no escaping. */
const scriptOf = ({ method, headers, body = '' }: Load) =>
  [
    `wrk.method = "${method}"`,
    `wrk.body = [==[${body}]==]`,
    ...Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = [==[${value}]==]`),
  ].join('\n');

function latencyMs(output: string, share: string): number {
  const [, value = 'NaN', unit = ''] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`, 'u').exec(output) ?? [];
  return Number(value) * (UNITS[unit] ?? Number.NaN);
}

/** Sends a load by wrk, from one thread; fails where an answer is not a success. */
export async function measureByWrk(load: Load, connections: number, seconds: number): Promise<LoadFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'signpost-wrk-'));
  try {
    const script = join(folder, 'load.lua');
    await writeFile(script, scriptOf(load));
    const duration = `${Math.max(1, Math.round(seconds))}s`;
    const { stdout } = await run('wrk', [
      ...['-t', '1', '-c', String(connections), '-d', duration],
      ...['--latency', '-s', script, load.url],
    ]);
    if (/Non-2xx|Socket errors/u.test(stdout))
      throw new Error(`Not every answer of ${load.url} was a success:\n${stdout}`);
    const perSecond = Number(/Requests\/sec:\s+([\d.]+)/u.exec(stdout)?.[1]);
    return { perSecond, p50Ms: latencyMs(stdout, '50'), p99Ms: latencyMs(stdout, '99') };
  } finally {
    await rm(folder, { recursive: true });
  }
}
