import { chromium, type Browser, type Page } from 'playwright';
import { VIEWPORT, type CaptureCase } from './capture-cases.js';
import { onEnd } from './endings.js';
import type { SignpostProcess } from './signpost-process.js';

/** Takes one capture of a page. Returns the size of its file in bytes. */
export type Capture = (url: string, captureCase: CaptureCase) => Promise<number>;

const launchOptions = (program: string) => ({
  executablePath: program,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  // run.ts handles signals and ends everything.
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
});

/** Starts a browser that ends with the benchmark. */
export async function launchBrowser(
  program: string,
): Promise<{ browser: Browser; end: () => Promise<void> }> {
  const browser = await chromium.launch(launchOptions(program));
  return { browser, end: onEnd(() => browser.close()) };
}

/**
 * Options for a tagged PDF with an outline. Signpost's PDFs have both by default, Playwright's only with these options.
 */
export const TAGGED = { tagged: true, outline: true };

type PdfOptions = Partial<typeof TAGGED>;

/**
 * A script for the page: scrolls down window by window, waits until every picture has loaded or failed, and scrolls to
 * the top.
 */
const SCROLL = `(async () => {
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
    scrollTo(0, top);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await Promise.all([...document.images].filter(({ complete }) => !complete).map(
    (image) => new Promise((resolve) => { image.onload = image.onerror = resolve; })));
  scrollTo(0, 0);
})()`;

interface TakeOptions {
  readonly pdf?: PdfOptions;
  readonly isScrolled?: boolean;
}

async function take(
  page: Page,
  url: string,
  captureCase: CaptureCase,
  { pdf = {}, isScrolled = false }: TakeOptions = {},
): Promise<number> {
  await page.goto(url, { waitUntil: 'load' });
  if (isScrolled) await page.evaluate(SCROLL);
  const file =
    captureCase.kind === 'pdf'
      ? await page.pdf({ format: 'A4', printBackground: true, ...pdf })
      : await page.screenshot({ fullPage: captureCase.fullPage });
  return file.length;
}

/** Takes each capture in a new context of a browser that keeps running. */
export const inFreshContext =
  (browser: Browser, options?: TakeOptions): Capture =>
  async (url, captureCase) => {
    const context = await browser.newContext({ viewport: VIEWPORT });
    try {
      return await take(await context.newPage(), url, captureCase, options);
    } finally {
      await context.close();
    }
  };

/** Takes each capture in a new browser. */
export const launchPerRequest =
  (program: string): Capture =>
  async (url, captureCase) => {
    const { browser, end } = await launchBrowser(program);
    try {
      return await inFreshContext(browser)(url, captureCase);
    } finally {
      await end();
    }
  };

/**
 * Opens pages. Resolves to a function that takes each capture on one of them, so a capture may see traces of earlier
 * ones. The function throws if no page is idle.
 */
export async function onReusedPages(browser: Browser, pages: number): Promise<Capture> {
  const idle: Page[] = [];
  for (let i = 0; i < pages; i += 1) idle.push(await browser.newPage({ viewport: VIEWPORT }));
  return async (url, captureCase) => {
    const page = idle.pop();
    if (page === undefined) throw new Error('More captures at once than pages.');
    try {
      return await take(page, url, captureCase);
    } finally {
      idle.push(page);
    }
  };
}

async function fileLength(
  name: string,
  response: Response,
  secrets: readonly string[] = [],
): Promise<number> {
  const file = await response.arrayBuffer();
  if (response.ok) return file.byteLength;
  const words = secrets.reduce(
    (text, secret) => text.replaceAll(secret, '***'),
    Buffer.from(file).toString(),
  );
  throw new Error(`${name} answered ${response.status}: ${words}`);
}

export const throughSignpost =
  ({ url: server, apiKey }: SignpostProcess, options: Readonly<Record<string, unknown>> = {}): Capture =>
  async (url, captureCase) =>
    fileLength(
      'signpost',
      await fetch(`${server}/api/${captureCase.kind}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Api-Key': apiKey },
        body: JSON.stringify({
          url,
          ...(captureCase.kind === 'pdf' ? {} : { ...VIEWPORT, fullPage: captureCase.fullPage }),
          ...options,
        }),
      }),
    );

/** Takes captures through browserless. The query string of its address, such as a token, is sent with each request. */
export const throughBrowserless =
  (peer: URL): Capture =>
  async (url, captureCase) => {
    const endpoint = new URL(peer);
    endpoint.pathname = `${peer.pathname.replace(/\/$/u, '')}/${captureCase.kind}`;
    return fileLength(
      'browserless',
      await fetch(endpoint, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(
          captureCase.kind === 'pdf'
            ? { url, options: { format: 'A4', printBackground: true } }
            : { url, viewport: VIEWPORT, options: { fullPage: captureCase.fullPage } },
        ),
      }),
      [...peer.searchParams.values()].filter((value) => value !== ''),
    );
  };
