import { setTimeout as pause } from 'node:timers/promises';
import type { OpenPage } from './open-page.js';
import { AWAITS_MESSAGE, FORGET_SILENT } from './scroll-watchers.js';

/** The maximum real time to wait for the first messages of WebSockets and workers. */
const MAX_WAIT_MS = 2_200;
const LOOK_EVERY_MS = 50;

/**
 * Waits, but at most MAX_WAIT_MS, until each WebSocket and worker of the page has sent a message (which usually brings
 * data that the page shows), failed or been closed. Later calls do not wait for those still silent then. Call it before
 * page time passes quickly, because the browser does not count these messages as requests under way.
 */
export async function waitForFirstMessages(open: OpenPage): Promise<void> {
  const startedMs = performance.now();
  while (await open.isTrueInPage(AWAITS_MESSAGE)) {
    if (performance.now() - startedMs >= MAX_WAIT_MS) {
      await open.isTrueInPage(FORGET_SILENT);
      return;
    }
    await open.yieldDuring(open.deadline.race(pause(LOOK_EVERY_MS)));
  }
}
