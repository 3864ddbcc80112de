import { randomBytes } from 'node:crypto';
import { delimiter } from 'node:path';
import type { CaptureService } from '../capture-service.js';
import { startCapture, type CaptureOptions } from '../start-capture.js';
import { SITE_ADDRESS } from './page-server.js';

const silent = () => undefined;

/** A capture service that may reach the test's site and nothing else on this machine. */
export const startTestCapture = (options: Partial<CaptureOptions> = {}): Promise<CaptureService> =>
  startCapture({
    searchPath: ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].join(delimiter),
    concurrency: 2,
    queue: 1_000,
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
