import { createServer } from 'node:http';
import { captureScreenshotRequest } from '@signpost/contract';
import type { Config } from '../app/config.js';
import type { EndpointState } from '../capture/browser/browser-pool.js';
import { showsProcesses } from '../capture/browser/process-memory.js';
import type { CaptureService } from '../capture/capture-service.js';
import { errorCode } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';

/** One thing that the doctor looked at; `advice` is the command or the change that puts it right. */
export interface Finding {
  readonly name: string;
  readonly state: 'works' | 'could be better' | 'does not work';
  readonly message: string;
  readonly advice?: string;
}

export const failed = (name: string, error: unknown): Finding => ({
  name,
  state: 'does not work',
  message: error instanceof Error ? error.message : String(error),
});

const NAME = 'Browser';

/** Starts what captures need; beside a running server the guard takes another port than that one's. */
async function start(config: Config, randomBytes: RandomBytes, keep: (message: string) => void) {
  const { startCapture } = await import('../capture/start-capture.js');
  const { browser, capture } = config;
  const note = (_fields: object, message: string) => keep(message);
  const options = {
    ...capture,
    ...browser,
    allowAddresses: ['127.0.0.1'],
    recycleAfter: 100,
    randomBytes,
    log: { debug: () => undefined, info: () => undefined, warn: note, error: note },
  };
  return startCapture(options).catch((error: unknown) => {
    const { guardAddress } = browser;
    const isTaken = error instanceof Error && errorCode(error.cause) === 'EADDRINUSE';
    if (guardAddress === undefined || !isTaken) throw error;
    return startCapture({ ...options, guardAddress: { ...guardAddress, port: 0 } });
  });
}

const endpointFinding = ({ name, browser, problem }: EndpointState): Finding =>
  browser === 'ready'
    ? {
        name: `Browser at ${name}`,
        state: 'works',
        message: 'connected; its pages go through the guard alone',
      }
    : {
        name: `Browser at ${name}`,
        state: 'does not work',
        message: `not used: ${problem ?? 'it ended while it was tried'}`,
      };

const MEGABYTE = 1_000_000;

/** Whether what one capture may take is held; remote browsers have bounds of their own. */
function memoryFinding({ browser, capture }: Config): readonly Finding[] {
  const name = 'Memory of captures';
  if (browser.endpoints.length > 0) return [];
  const bound = `${capture.maxMemoryBytes / MEGABYTE} MB each`;
  if (showsProcesses()) return [{ name, state: 'works', message: `bounded to ${bound}` }];
  return [
    {
      name,
      state: 'could be better',
      message: `not bounded to ${bound}: this system does not show what the browser's processes take`,
      advice:
        'SIGNPOST_CAPTURE_MEMORY_MEGABYTES holds on Linux alone: where others capture pages, run the server there.',
    },
  ];
}

/** Takes a picture of a page of our own: nothing less shows that captures work. */
async function picture(service: CaptureService, reasons: readonly string[]): Promise<Finding> {
  const page = createServer((_request, response) => response.end('<!doctype html><title>Signpost</title>'));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const address = page.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    const request = captureScreenshotRequest.parse({ url: `http://127.0.0.1:${port}/` });
    const { durationMs } = await service.screenshot(request, new AbortController().signal);
    const message = `${service.state().program}, a picture took ${Math.round(durationMs)} ms`;
    const [warning] = reasons;
    return warning === undefined
      ? { name: NAME, state: 'works', message }
      : { name: NAME, state: 'could be better', message: `${message}; ${warning}` };
  } catch (error) {
    return failed(NAME, error);
  } finally {
    page.close();
  }
}

/** Starts the browser of this machine, or connects to each remote one, and takes a picture. */
export async function browserFindings(config: Config, randomBytes: RandomBytes): Promise<readonly Finding[]> {
  const reasons: string[] = [];
  let service: CaptureService;
  try {
    service = await start(config, randomBytes, (message) => reasons.push(message));
  } catch (error) {
    return [failed(NAME, error)];
  }
  try {
    const endpoints = service.state().endpoints.map(endpointFinding);
    // What is wrong with a remote browser stands on its own line.
    if (endpoints.length > 0 && endpoints.every(({ state }) => state !== 'works')) return endpoints;
    return [
      await picture(service, endpoints.length === 0 ? reasons : []),
      ...endpoints,
      ...memoryFinding(config),
    ];
  } finally {
    await service.close();
  }
}
