import { CASES } from './capture-cases.js';
import { serveCapturePages } from './capture-pages.js';
import { takeCaptureTurns, type CaptureFigures, type Way } from './capture-turns.js';
import {
  inFreshContext,
  launchBrowser,
  launchPerRequest,
  onReusedPages,
  throughBrowserless,
  throughSignpost,
} from './capture-ways.js';
import { ratio, round, type Row } from './figures.js';
import type { BenchOptions } from './options.js';
import { showProgress } from './progress.js';
import type { SignpostProcess } from './signpost-process.js';

const PLAIN = 'plain playwright';
const REUSED = 'one page reused';
const LAUNCH = 'launch per request';

const MOST_AT_ONCE = Math.max(...CASES.flatMap(({ atOnce }) => atOnce));

/** The figures of a way, and its median time and its rate as shares of those of three ways. */
function rowOf(own: CaptureFigures, all: ReadonlyMap<string, CaptureFigures>): Row {
  const timeOf = (way: string) => ratio(own.p50Ms, all.get(way)?.p50Ms);
  const rateOf = (way: string) => ratio(own.perSecond, all.get(way)?.perSecond);
  return {
    captures: own.captures,
    'p50 ms': round(own.p50Ms),
    'p99 ms': round(own.p99Ms),
    'per s': round(own.perSecond, 2),
    'time of plain': timeOf(PLAIN),
    'time of reused': timeOf(REUSED),
    'time of launch': timeOf(LAUNCH),
    'rate of plain': rateOf(PLAIN),
    'rate of reused': rateOf(REUSED),
    'rate of launch': rateOf(LAUNCH),
  };
}

/** Captures through the server beside other ways to use the same browser, which take turns. */
export async function benchCaptures(
  signpost: SignpostProcess,
  program: string,
  options: BenchOptions,
): Promise<{ title: string; rows: Row[] }> {
  const pages = await serveCapturePages();
  const { browser, end } = await launchBrowser(program);
  const ways: Way[] = [
    { name: 'signpost', capture: throughSignpost(signpost) },
    { name: PLAIN, capture: inFreshContext(browser) },
    { name: LAUNCH, capture: launchPerRequest(program), isRare: true },
    { name: REUSED, capture: await onReusedPages(browser, MOST_AT_ONCE) },
  ];
  if (options.browserless !== undefined) {
    ways.push({ name: 'browserless', capture: throughBrowserless(options.browserless) });
  }

  const limits = { seconds: options.captureSeconds, mostTurns: options.rounds };
  const rows: Row[] = [];
  for (const one of CASES.filter(({ page }) => options.pages.has(page))) {
    for (const atOnce of one.atOnce) {
      showProgress(`captures: ${one.name}, ${atOnce} at once, ${ways.length} ways`);
      const figures = await takeCaptureTurns(ways, `${pages.url}/${one.page}`, one, atOnce, limits);
      for (const [way, own] of figures) {
        rows.push({ capture: one.name, 'at once': atOnce, way, ...rowOf(own, figures) });
      }
    }
  }
  const title = `Captures, all but browserless with the same Chromium ${browser.version()}`;
  await end();
  await pages.end();
  return { title, rows };
}
