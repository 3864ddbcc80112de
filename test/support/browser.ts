import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import { findBrowser } from '../../server/src/capture/find-browser.js';

const SCREENSHOTS = join(import.meta.dirname, '../../.cache/screenshots');

export type ColorScheme = 'light' | 'dark';

/** How wide a page is looked at, in CSS pixels. */
export const WIDTHS = { phone: 375, desktop: 1280 } as const;
const HEIGHT = 900;

/** A person at a browser: one context, with what went wrong in it. */
export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, of the security policy, and requests that left for another host. */
  readonly troubles: readonly string[];
  close(): Promise<void>;
}

interface Looks {
  readonly width?: number;
  readonly colorScheme?: ColorScheme;
  readonly withoutScripts?: boolean;
}

export interface TestBrowser {
  /** Opens a fresh browser window on a server. */
  person(serverUrl: string, looks?: Looks): Promise<Person>;
  close(): Promise<void>;
}

/** Starts the browser that captures use, to look at pages as people do. */
export async function startTestBrowser(): Promise<TestBrowser> {
  const found = await findBrowser({ searchPath: process.env.PATH ?? '', withEmbedded: true });
  if (found === undefined) throw new Error('There is no browser to look at pages with.');
  const browser: Browser = await chromium.launch({
    executablePath: found.program,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  return {
    person: (serverUrl, looks = {}) => openPerson(browser, serverUrl, looks),
    close: () => browser.close(),
  };
}

async function openPerson(browser: Browser, serverUrl: string, looks: Looks): Promise<Person> {
  const context = await browser.newContext({
    baseURL: serverUrl,
    viewport: { width: looks.width ?? WIDTHS.desktop, height: HEIGHT },
    colorScheme: looks.colorScheme ?? 'light',
    // A colour that is on its way to another has no contrast to speak of.
    reducedMotion: 'reduce',
    javaScriptEnabled: looks.withoutScripts !== true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const troubles: string[] = [];
  const page = await context.newPage();
  context.on('weberror', (error) => troubles.push(`script: ${error.error().message}`));
  context.on('console', (message) => {
    // An answer of 4xx that a page is about is no trouble.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      troubles.push(`console: ${message.text()}`);
  });
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (/^https?:$/u.test(protocol) && hostname !== '127.0.0.1') troubles.push(`left for ${request.url()}`);
  });
  return { context, page, troubles, close: () => context.close() };
}

/** Keeps a picture of a whole page, for people to look at. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
