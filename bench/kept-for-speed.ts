import { withCpuTime } from './cpu-time.js';
import { ratio, round, type Row } from './figures.js';
import { CONNECTIONS } from './load.js';
import { lookupLoads } from './lookups.js';
import type { BenchOptions } from './options.js';
import { showProgress } from './progress.js';
import { startSignpost } from './signpost-process.js';
import { takeTurns } from './turns.js';

interface Feature {
  readonly title: string;
  /** The value of BENCH_WITHOUT that leaves this feature out. */
  readonly name: string;
  /** The names of the lookups to measure. */
  readonly lookups: readonly string[];
}

const RECORD_WRITER: Feature = {
  title: 'records written as bytes',
  name: 'record-writer',
  lookups: ['lookup', 'nearest, 10 in 2 km', 'bulk of 100'],
};

const RECORDER: Feature = {
  title: 'counts and the log of requests',
  name: 'recorder',
  lookups: ['lookup', 'validate', 'bulk of 100'],
};

const preload = new URL('./without.js', import.meta.url).href;

/** Measures two servers, with and without this feature, in turns for each lookup. */
async function measure(column: string, { title, name, lookups }: Feature, seconds: number): Promise<Row[]> {
  const servers = [
    await startSignpost({ preload }),
    await startSignpost({ preload, variables: { BENCH_WITHOUT: name } }),
  ];
  const loads = await Promise.all(servers.map(lookupLoads));
  const rows: Row[] = [];
  for (const lookup of lookups) {
    showProgress(`${title}, ${lookup}`);
    const turns = servers.flatMap(({ pid }, index) => {
      const load = loads[index]?.find((one) => one.name === lookup)?.load;
      return load === undefined ? [] : [{ load, pid }];
    });
    const cpu = withCpuTime(new Map(turns.map(({ load, pid }) => [load, [pid]])));
    const featureLoads = turns.map(({ load }) => load);
    const figures = await takeTurns(featureLoads, seconds, CONNECTIONS, cpu.measure);
    const [withIt, without] = turns.map(({ load }, index) => ({
      perSecond: figures[index]?.perSecond ?? Number.NaN,
      microseconds: cpu.microsecondsEach(load),
    }));
    if (withIt === undefined || without === undefined) continue;
    rows.push({
      [column]: title,
      operation: lookup,
      'with/s': round(withIt.perSecond),
      'without/s': round(without.perSecond),
      'of without': ratio(withIt.perSecond, without.perSecond),
      'CPU µs with': round(withIt.microseconds, 1),
      'CPU µs without': round(without.microseconds, 1),
    });
  }
  for (const server of servers) await server.end();
  return rows;
}

/** Measures code that is longer only for speed. It is worth keeping while the figures show a gain. */
export const benchKeptForSpeed = ({ seconds }: BenchOptions): Promise<Row[]> =>
  measure('kept for speed', RECORD_WRITER, seconds);

/** Measures how much the counting and logging of finished requests slows lookups down. */
export const benchRecorder = ({ seconds }: BenchOptions): Promise<Row[]> =>
  measure('records', RECORDER, seconds);
