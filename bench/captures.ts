import { CASES, type CaptureCase } from './capture-cases.js';
import { serveCapturePages } from './capture-pages.js';
import { takeCaptureTurns, type CaptureFigures, type Way } from './capture-turns.js';
import {
  inFreshContext,
  launchBrowser,
  launchPerRequest,
  onReusedPages,
  TAGGED,
  throughBrowserless,
  throughSignpost,
} from './capture-ways.js';
import { cpuTimeMs, ownCpuTimeMs } from './cpu-time.js';
import { isOfCorpus, pathOf } from './corpus-pages.js';
import { orDash, p99Of, ratio, round, type Row } from './figures.js';
import type { BenchOptions } from './options.js';
import { showProgress } from './progress.js';
import type { SignpostProcess } from './signpost-process.js';

const AS_THEY_ARE = 'signpost, animations allowed';
/** Captures with a request header. It may be a credential, so the server uses a browser with site isolation. */
const ISOLATED = 'signpost, with a header';
const PLAIN = 'plain playwright';
const SCROLLED = 'plain playwright, scrolled';
const PLAIN_TAGGED = 'plain playwright, tagged';
const REUSED = 'one page reused';
const LAUNCH = 'launch per request';

const MAX_AT_ONCE = Math.max(...CASES.flatMap(({ atOnce }) => atOnce));

/** The figures of one way, with its median time and rate relative to four of the ways. */
function rowOf(own: CaptureFigures, all: ReadonlyMap<string, CaptureFigures>): Row {
  const timeOf = (way: string) => orDash(ratio(own.p50Ms, all.get(way)?.p50Ms));
  const rateOf = (way: string) => orDash(ratio(own.perSecond, all.get(way)?.perSecond));
  return {
    captures: own.captures,
    failed: own.failed,
    'p50 ms': orDash(round(own.p50Ms)),
    'p99 ms': p99Of(own),
    'per s': round(own.perSecond, 2),
    'node ms': orDash(round(own.nodeMs, 1)),
    'CPU ms': orDash(round(own.cpuMs)),
    KB: round(own.bytes / 1_000),
    'time of plain': timeOf(PLAIN),
    'time of scrolled': timeOf(SCROLLED),
    'time of reused': timeOf(REUSED),
    'time of launch': timeOf(LAUNCH),
    'rate of plain': rateOf(PLAIN),
    'rate of scrolled': rateOf(SCROLLED),
    'rate of reused': rateOf(REUSED),
    'rate of launch': rateOf(LAUNCH),
  };
}

/** Compares captures through the server with other ways, in turns. All but browserless use the same browser program. */
export async function benchCaptures(
  signpost: SignpostProcess,
  program: string,
  options: BenchOptions,
): Promise<{ title: string; rows: Row[] }> {
  const pages = await serveCapturePages(options.corpus);
  const { browser, end } = await launchBrowser(program);
  const serverMs = () => ownCpuTimeMs(signpost.pid);
  const ownMs = () => ownCpuTimeMs(process.pid);
  const cpuOf = async (pid: number) => (await cpuTimeMs([pid])) ?? Number.NaN;
  const ofServer = { nodeMs: serverMs, cpuMs: () => cpuOf(signpost.pid) };
  // The server is a child process of the benchmark, so `cpuMs` subtracts the server's time.
  const ofBenchmark = {
    mayFail: true,
    nodeMs: ownMs,
    cpuMs: async () => (await cpuOf(process.pid)) - (await cpuOf(signpost.pid)),
  };
  const ways: Way[] = [
    { name: 'signpost', capture: throughSignpost(signpost), ...ofServer },
    {
      name: AS_THEY_ARE,
      capture: throughSignpost(signpost, { animations: 'allow' }),
      ...ofServer,
      isRare: true,
    },
    {
      name: ISOLATED,
      capture: throughSignpost(signpost, { headers: { 'X-Bench': 'yes' } }),
      ...ofServer,
      isRare: true,
    },
    { name: PLAIN, capture: inFreshContext(browser), ...ofBenchmark },
    {
      name: SCROLLED,
      capture: inFreshContext(browser, { isScrolled: true }),
      ...ofBenchmark,
      isOfFullPage: true,
    },
    { name: PLAIN_TAGGED, capture: inFreshContext(browser, { pdf: TAGGED }), ...ofBenchmark, isOfPdf: true },
    { name: LAUNCH, capture: launchPerRequest(program), ...ofBenchmark, isRare: true },
    { name: REUSED, capture: await onReusedPages(browser, MAX_AT_ONCE), ...ofBenchmark },
  ];
  if (options.browserless !== undefined) {
    ways.push({ name: 'browserless', capture: throughBrowserless(options.browserless), mayFail: true });
  }

  const limits = { seconds: options.captureSeconds, mostTurns: options.rounds };
  const rows: Row[] = [];
  const isWanted = ({ page }: CaptureCase) =>
    options.pages.has(page) && (options.corpus !== undefined || !isOfCorpus(page));
  for (const captureCase of CASES.filter(isWanted)) {
    for (const atOnce of captureCase.atOnce) {
      const used = ways.filter(
        ({ isOfPdf = false, isOfFullPage = false }) =>
          (!isOfPdf || captureCase.kind === 'pdf') && (!isOfFullPage || captureCase.fullPage),
      );
      showProgress(`captures: ${captureCase.name}, ${atOnce} at once, ${used.length} ways`);
      const figures = await takeCaptureTurns(
        used,
        `${pages.url}${pathOf(captureCase.page)}`,
        captureCase,
        atOnce,
        limits,
      );
      for (const [way, own] of figures) {
        rows.push({ capture: captureCase.name, 'at once': atOnce, way, ...rowOf(own, figures) });
      }
    }
  }
  const title = `Captures, all but browserless with the same Chromium ${browser.version()}`;
  await end();
  await pages.end();
  return { title, rows };
}
