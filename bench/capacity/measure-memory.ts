import { availableParallelism } from 'node:os';
import { CASES, type CaptureCase } from '../capture-cases.js';
import { takeCaptureTurns, type Way } from '../capture-turns.js';
import { inFreshContext, launchBrowser, throughSignpost } from '../capture-ways.js';
import { cpuTimeMs } from '../cpu-time.js';
import { round, type Row } from '../figures.js';
import type { BenchOptions } from '../options.js';
import { showProgress } from '../progress.js';
import { startSignpost } from '../signpost-process.js';
import { memoryDuring, treeMegabytes } from './process-memory.js';

const AT_ONCE = [1, 2, 4];
const MAX_AT_ONCE = Math.max(...AT_ONCE);
const MEASURED = ['small png', 'heavy png', 'tall png, full page', 'tall pdf'];

/** A way to take captures, and the memory of all its processes. */
interface MeasuredWay extends Way {
  readonly megabytes: () => Promise<number>;
}

async function measure(
  way: MeasuredWay,
  captureCase: CaptureCase,
  url: string,
  seconds: number,
): Promise<Row> {
  const idle = await way.megabytes();
  const megabytes: number[] = [];
  let cpuMs = Number.NaN;
  let perSecond = Number.NaN;
  for (const atOnce of AT_ONCE) {
    const took = await memoryDuring(way.megabytes, async () => {
      const limits = { seconds, mostTurns: 1 };
      const figures = (await takeCaptureTurns([way], url, captureCase, atOnce, limits)).get(way.name);
      if (atOnce !== availableParallelism()) return;
      cpuMs = figures?.cpuMs ?? cpuMs;
      perSecond = figures?.perSecond ?? perSecond;
    });
    megabytes.push(took);
  }
  return {
    capture: captureCase.name,
    way: way.name,
    'idle MB': round(idle),
    ...Object.fromEntries(AT_ONCE.map((atOnce, at) => [`${atOnce} at once MB`, round(megabytes[at] ?? 0)])),
    'MB each': round(((megabytes.at(-1) ?? 0) - idle) / MAX_AT_ONCE),
    'per s': round(perSecond, 2),
    'CPU ms each': round(cpuMs),
  };
}

/** The memory of server and browser while captures run, compared with Playwright and the same browser. */
export async function measureMemory(
  program: string,
  pagesUrl: string,
  { seconds }: BenchOptions,
): Promise<Row[]> {
  const signpost = await startSignpost({
    variables: { SIGNPOST_CAPTURE_CONCURRENCY: String(MAX_AT_ONCE) },
  });
  const { browser, end } = await launchBrowser(program);
  const timeOf = async (pid: number) => (await cpuTimeMs([pid])) ?? Number.NaN;
  const ways: MeasuredWay[] = [
    {
      name: 'signpost',
      capture: throughSignpost(signpost),
      megabytes: () => treeMegabytes([signpost.pid]),
      cpuMs: () => timeOf(signpost.pid),
    },
    {
      name: 'plain playwright',
      capture: inFreshContext(browser),
      megabytes: () => treeMegabytes([process.pid], [signpost.pid]),
      cpuMs: async () => (await timeOf(process.pid)) - (await timeOf(signpost.pid)),
    },
  ];
  const rows: Row[] = [];
  for (const captureCase of CASES.filter(({ name }) => MEASURED.includes(name)))
    for (const way of ways) {
      showProgress(`capacity: memory of ${captureCase.name}, ${way.name}`);
      rows.push(await measure(way, captureCase, `${pagesUrl}/${captureCase.page}`, seconds));
    }
  await end();
  await signpost.end();
  return rows;
}
