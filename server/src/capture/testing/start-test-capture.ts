import { randomBytes } from 'node:crypto';
import { delimiter } from 'node:path';
import { queueCaptures, type QueueState } from '../capture-queue.js';
import type { CaptureService } from '../capture-service.js';
import { startCapture, type CaptureOptions } from '../start-capture.js';
import { SITE_ADDRESS } from './page-server.js';

const silent = () => undefined;

const ANY_KEY = { id: 0, accountId: '' };

/** Captures with a queue before them, for a test's one account that has all of it. */
export interface TestCapture extends CaptureService {
  state(): QueueState;
}

interface TestOptions extends CaptureOptions {
  /** How many captures may wait. */
  readonly queue: number;
}

/** Takes each capture in a reservation of its own. */
export function queuedForOne(service: CaptureService, queue: number): TestCapture {
  const captures = queueCaptures(service, { queue, shareOf: () => 'whole' });
  return {
    ...captures,
    onPlaces: () => undefined,
    screenshot: async (request, signal) =>
      (await captures.reserve(ANY_KEY)).run(signal, () => captures.screenshot(request, signal)),
    pdf: async (request, signal) =>
      (await captures.reserve(ANY_KEY)).run(signal, () => captures.pdf(request, signal)),
  };
}

/** A capture service that may reach the test's site and nothing else on this machine. */
export async function startTestCapture(options: Partial<TestOptions> = {}): Promise<TestCapture> {
  const service = await startCapture({
    searchPath: ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].join(delimiter),
    concurrency: 2,
    timeoutMs: 20_000,
    allowAddresses: [SITE_ADDRESS],
    maxPageHeightPixels: 100_000,
    maxResultBytes: 50_000_000,
    recycleAfter: 1_000,
    withoutSandbox: false,
    endpoints: [],
    randomBytes,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    ...options,
  });
  return queuedForOne(service, options.queue ?? 1_000);
}
