import type { Page } from 'playwright';
import type { Browser } from '../browser/browser.js';
import { PlaywrightTransport } from './playwright-transport.js';

const CONNECT_MS = 10_000;

/** Playwright's view of one page. */
export interface PlaywrightPage {
  readonly page: Page;
  /** Ends Playwright's session. The page itself is not changed. */
  disconnect(): Promise<void>;
}

/** Connects Playwright to a page, in addition to the sessions of the capture. */
export async function connectPlaywright(browser: Browser, targetId: string): Promise<PlaywrightPage> {
  // Playwright is loaded only when it is needed, because loading it takes time.
  const [{ chromium }, version, { sessionId }] = await Promise.all([
    import('playwright'),
    browser.protocol.send('Browser.getVersion'),
    browser.protocol.send('Target.attachToTarget', { targetId, flatten: true }),
  ]);
  const session = browser.connection.session(sessionId);
  const transport = new PlaywrightTransport({ session, targetId, version });
  const detach = async () => {
    transport.close();
    await browser.protocol.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
  };
  try {
    const connected = await chromium.connectOverCDP(transport, {
      noDefaults: true,
      isLocal: true,
      timeout: CONNECT_MS,
    });
    const page = connected.contexts()[0]?.pages()[0];
    if (page === undefined) throw new Error('Playwright does not see the page.');
    return { page, disconnect: detach };
  } catch (error) {
    await detach();
    throw error;
  }
}
