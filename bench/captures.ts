import { chromium, type Browser, type Page } from 'playwright';
import { serveCapturePages } from './capture-pages.js';
import { percentile, round, type Row } from './figures.js';
import type { BenchOptions } from './options.js';
import type { SignpostProcess } from './signpost-process.js';

const VIEWPORT = { width: 1920, height: 1080 };
const AT_ONCE = [1, 2, 4];
/** Printing shadows takes Chromium seconds a page, whoever asks it. */
const FEWER_ROUNDS = 3;

interface Case {
  readonly name: string;
  readonly path: string;
  readonly kind: 'screenshot' | 'pdf';
  readonly fullPage: boolean;
  readonly isSlow?: boolean;
}

const CASES: readonly Case[] = [
  { name: 'small png', path: '/small', kind: 'screenshot', fullPage: false },
  { name: 'heavy png', path: '/heavy', kind: 'screenshot', fullPage: false },
  { name: 'tall png, full page', path: '/tall', kind: 'screenshot', fullPage: true },
  { name: 'small pdf', path: '/small', kind: 'pdf', fullPage: false },
  { name: 'tall pdf', path: '/tall', kind: 'pdf', fullPage: false },
  { name: 'heavy pdf', path: '/heavy', kind: 'pdf', fullPage: false, isSlow: true },
];

type Capture = (url: string, one: Case) => Promise<number>;

const launchOptions = (program: string) => ({
  executablePath: program,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});

async function take(page: Page, url: string, one: Case): Promise<number> {
  await page.goto(url, { waitUntil: 'load' });
  const file =
    one.kind === 'pdf'
      ? await page.pdf({ format: 'A4', printBackground: true })
      : await page.screenshot({ fullPage: one.fullPage });
  return file.length;
}

async function takeInFreshContext(browser: Browser, url: string, one: Case): Promise<number> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    return await take(await context.newPage(), url, one);
  } finally {
    await context.close();
  }
}

/** A browser for each request. */
const launchPerRequest =
  (program: string): Capture =>
  async (url, one) => {
    const browser = await chromium.launch(launchOptions(program));
    try {
      return await takeInFreshContext(browser, url, one);
    } finally {
      await browser.close();
    }
  };

/** Pages that are used again and again: as fast as the browser can be, and not safe. */
async function reusedPages(browser: Browser): Promise<Capture> {
  const idle: Page[] = [];
  for (let i = 0; i < Math.max(...AT_ONCE); i += 1) idle.push(await browser.newPage({ viewport: VIEWPORT }));
  return async (url, one) => {
    const page = idle.pop();
    if (page === undefined) throw new Error('More captures at once than pages.');
    try {
      return await take(page, url, one);
    } finally {
      idle.push(page);
    }
  };
}

async function fileLength(response: Response): Promise<number> {
  const file = await response.arrayBuffer();
  if (!response.ok)
    throw new Error(`${response.url} answered ${response.status}: ${Buffer.from(file).toString()}`);
  return file.byteLength;
}

const throughSignpost =
  (signpost: SignpostProcess): Capture =>
  async (url, one) =>
    fileLength(
      await fetch(`${signpost.url}/api/${one.kind}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Api-Key': signpost.apiKey },
        body: JSON.stringify(one.kind === 'pdf' ? { url } : { url, ...VIEWPORT, fullPage: one.fullPage }),
      }),
    );

const throughBrowserless =
  (peer: string): Capture =>
  async (url, one) =>
    fileLength(
      await fetch(`${peer}/${one.kind}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(
          one.kind === 'pdf'
            ? { url, options: { format: 'A4', printBackground: true } }
            : { url, viewport: VIEWPORT, options: { fullPage: one.fullPage } },
        ),
      }),
    );

interface Figures {
  readonly timesMs: number[];
  elapsedMs: number;
}

/** As many captures as there are to be, so many at once; their times and the time of all. */
async function measure(
  capture: Capture,
  url: string,
  one: Case,
  atOnce: number,
  figures: Figures,
  rounds: number,
) {
  const began = performance.now();
  let left = rounds;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const start = performance.now();
      const bytes = await capture(url, one);
      if (bytes === 0) throw new Error(`${url} gave an empty file.`);
      figures.timesMs.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  figures.elapsedMs += performance.now() - began;
}

/** Captures through the server beside other ways to use the same browser, which take turns. */
export async function benchCaptures(
  signpost: SignpostProcess,
  program: string,
  options: BenchOptions,
): Promise<Row[]> {
  const pages = await serveCapturePages();
  const browser = await chromium.launch(launchOptions(program));
  const ways = new Map<string, Capture>([
    ['signpost', throughSignpost(signpost)],
    ['plain playwright', (url, one) => takeInFreshContext(browser, url, one)],
    ['launch per request', launchPerRequest(program)],
    ['one page reused', await reusedPages(browser)],
  ]);
  if (options.browserless !== undefined) ways.set('browserless', throughBrowserless(options.browserless));

  const rows: Row[] = [];
  for (const one of CASES) {
    const turns = one.isSlow === true ? FEWER_ROUNDS : options.rounds;
    for (const atOnce of AT_ONCE) {
      const figuresOf = new Map(
        [...ways.keys()].map((way): [string, Figures] => [way, { timesMs: [], elapsedMs: 0 }]),
      );
      for (const capture of ways.values()) await capture(pages.url + one.path, one);
      for (let turn = 0; turn < turns; turn += atOnce) {
        for (const [way, capture] of ways) {
          const figures = figuresOf.get(way);
          if (figures !== undefined)
            await measure(capture, pages.url + one.path, one, atOnce, figures, atOnce);
        }
      }
      const p50 = (way: string) => percentile(figuresOf.get(way)?.timesMs ?? [], 0.5);
      for (const [way, { timesMs, elapsedMs }] of figuresOf) {
        rows.push({
          capture: one.name,
          'at once': atOnce,
          way,
          'p50 ms': round(percentile(timesMs, 0.5)),
          'p99 ms': round(percentile(timesMs, 0.99)),
          'per s': round((timesMs.length / elapsedMs) * 1000, 1),
          'of plain': round(percentile(timesMs, 0.5) / p50('plain playwright'), 2),
          'of reused': round(percentile(timesMs, 0.5) / p50('one page reused'), 2),
        });
      }
    }
  }
  await browser.close();
  pages.close();
  return rows;
}
