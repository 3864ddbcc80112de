import { CASES } from './capture-cases.js';
import { serveCapturePages } from './capture-pages.js';
import { takeCaptureTurns, type Way } from './capture-turns.js';
import { throughSignpost } from './capture-ways.js';
import { p99Of, ratio, round, type Row } from './figures.js';
import type { BenchOptions } from './options.js';
import { showProgress } from './progress.js';
import { startRemoteBrowser, type RemoteBrowser } from './remote-browser.js';
import { startSignpost } from './signpost-process.js';

const BROWSERS = [1, 2, 4];
/** As many captures as four browsers take at once by default, so that all of them are busy. */
const AT_ONCE = 8;
const MEASURED = ['small png', 'heavy png', 'small pdf'];

const wordsOf = (browsers: number) => `${browsers} remote`;

/** Starts a server that captures with `count` remote browsers. */
async function startWithBrowsers(program: string, count: number) {
  const browsers: RemoteBrowser[] = [];
  while (browsers.length < count) browsers.push(await startRemoteBrowser(program));
  const signpost = await startSignpost({
    variables: { SIGNPOST_BROWSER_ENDPOINTS: browsers.map(({ endpoint }) => endpoint).join(',') },
  });
  const end = async () => {
    await signpost.end();
    for (const browser of browsers) await browser.end();
  };
  return { signpost, end };
}

/**
 * Measures the same captures, eight at once, on servers with one, two and four remote browsers, and on a server with
 * its own browser.
 */
export async function benchBrowsers(program: string, options: BenchOptions): Promise<Row[]> {
  showProgress(`browsers: starting ${BROWSERS.join(', ')} of them, each time with a server`);
  const pages = await serveCapturePages();
  const own = await startSignpost();
  const ends = [() => own.end()];
  const ways: Way[] = [{ name: 'its own', capture: throughSignpost(own) }];
  for (const count of BROWSERS) {
    const { signpost, end } = await startWithBrowsers(program, count);
    ends.push(end);
    ways.push({ name: wordsOf(count), capture: throughSignpost(signpost) });
  }

  const limits = { seconds: options.captureSeconds, mostTurns: options.rounds };
  const rows: Row[] = [];
  for (const captureCase of CASES.filter(
    ({ name, page }) => MEASURED.includes(name) && options.pages.has(page),
  )) {
    showProgress(`browsers: ${captureCase.name}, ${AT_ONCE} at once`);
    const figures = await takeCaptureTurns(
      ways,
      `${pages.url}/${captureCase.page}`,
      captureCase,
      AT_ONCE,
      limits,
    );
    for (const [browsers, own] of figures) {
      const { captures, p50Ms, perSecond } = own;
      rows.push({
        capture: captureCase.name,
        'at once': AT_ONCE,
        browsers,
        captures,
        'p50 ms': round(p50Ms),
        'p99 ms': p99Of(own),
        'per s': round(perSecond, 2),
        'of one remote': ratio(perSecond, figures.get(wordsOf(1))?.perSecond),
        'of its own': ratio(perSecond, figures.get('its own')?.perSecond),
      });
    }
  }
  for (const end of ends) await end();
  await pages.end();
  return rows;
}
