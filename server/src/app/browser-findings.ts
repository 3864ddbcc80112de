import { createServer } from 'node:http';
import { captureScreenshotRequest } from '@signpost/contract';
import type { EndpointState } from '../capture/browser/browser-pool.js';
import { showsProcesses } from '../capture/browser/browser-processes.js';
import { findMissingFonts, NO_FONT } from '../capture/browser/find-browser.js';
import { FONT_PACKAGES } from '../capture/browser/install-browser.js';
import type { CaptureService, CaptureState } from '../capture/capture-service.js';
import { errorCode } from '../platform/errors.js';
import { failed, type Finding } from '../platform/finding.js';
import type { RandomBytes } from '../platform/random.js';
import type { Config } from './config.js';

const NAME = 'Browser';
const ISOLATED_NAME = 'Browser for credentials';

/** Starts a capture service. If a running server already uses the guard's port, the guard gets another one. */
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
        message: 'connected; its pages can only load through the guard',
      }
    : {
        name: `Browser at ${name}`,
        state: 'does not work',
        message: `not used: ${problem ?? 'it ended during the test'}`,
      };

const MEGABYTE = 1_000_000;

/** Whether the memory of a capture is limited. Remote browsers have limits of their own. */
function memoryFinding({ browser, capture }: Config): readonly Finding[] {
  const name = 'Memory of captures';
  if (browser.endpoints.length > 0) return [];
  const bound = `${capture.maxMemoryBytes / MEGABYTE} MB each`;
  if (showsProcesses()) return [{ name, state: 'works', message: `bounded to ${bound}` }];
  return [
    {
      name,
      state: 'could be better',
      message: `not bounded to ${bound}: this system does not show how much memory the browser uses`,
      advice:
        'SIGNPOST_CAPTURE_MEMORY_MEGABYTES works only on Linux. If other people capture pages, run the server there.',
    },
  ];
}

/** Any credentials: they go to our own page. */
const CREDENTIALS = { headers: { 'X-Signpost-Doctor': 'yes' } };

/** Captures a page of our own: only a real capture shows that captures work. */
async function picture(
  service: CaptureService,
  name: string,
  reasons: readonly string[],
  options: Partial<typeof CREDENTIALS> = {},
): Promise<Finding> {
  const page = createServer((_request, response) => response.end('<!doctype html><title>Signpost</title>'));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const address = page.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    const request = captureScreenshotRequest.parse({ url: `http://127.0.0.1:${port}/`, ...options });
    const { durationMs } = await service.screenshot(request, new AbortController().signal);
    const message = `${service.state().program}, a picture took ${Math.round(durationMs)} ms`;
    const [warning] = reasons;
    return warning === undefined
      ? { name, state: 'works', message }
      : { name, state: 'could be better', message, advice: warning };
  } catch (error) {
    return failed(name, error);
  } finally {
    page.close();
  }
}

/** Starts the browser of this machine, or connects to each remote one, and takes a test capture. */
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
    // A remote browser that does not work has a finding of its own, so "Browser" would only repeat it.
    if (endpoints.length > 0 && endpoints.every(({ state }) => state !== 'works')) return endpoints;
    const isRemote = endpoints.length > 0;
    const plain = await picture(service, NAME, isRemote ? [] : reasons);
    // Remote browsers take captures of all kinds.
    const isolated =
      isRemote || plain.state === 'does not work'
        ? []
        : [await picture(service, ISOLATED_NAME, [], CREDENTIALS)];
    return [plain, ...isolated, ...endpoints, ...memoryFinding(config)];
  } finally {
    await service.close();
  }
}

/** The state of the browsers of a running server. Takes no test capture, as the server itself captures pages. */
export function runningBrowserFindings(
  {
    browser,
    isolationProblem,
    program,
    endpoints,
  }: Pick<CaptureState, 'browser' | 'isolationProblem' | 'program' | 'endpoints'>,
  config: Config,
): readonly Finding[] {
  if (endpoints.length > 0) return endpoints.map(endpointFinding);
  const states = {
    ready: { name: NAME, state: 'works', message: `${program}, ready` },
    starting: {
      name: NAME,
      state: 'could be better',
      message: 'it is starting; look again in a moment',
    },
    down: {
      name: NAME,
      state: 'does not work',
      message: 'it is down, so captures are refused',
      advice: 'Run "npx signpost doctor" on the machine of the server to see why.',
    },
  } as const;
  const isolation: readonly Finding[] =
    isolationProblem === undefined
      ? []
      : [
          {
            name: ISOLATED_NAME,
            state: 'does not work',
            message: `captures with credentials are refused, because ${isolationProblem}`,
            advice: 'Run "npx signpost doctor" on the machine of the server to see why.',
          },
        ];
  return [states[browser], ...isolation, ...memoryFinding(config)];
}

/** Whether the fonts for other scripts and for emoji are installed. */
export async function fontsFinding(): Promise<Finding> {
  const name = 'Fonts';
  const missing = await findMissingFonts();
  return missing.length === 0
    ? { name, state: 'works', message: 'Latin, Indic, Thai and East Asian characters and emoji can be shown' }
    : {
        name,
        state: missing.includes(NO_FONT) ? 'does not work' : 'could be better',
        message: `no font for ${missing.join(', ')}`,
        advice: `On Debian or Ubuntu: apt-get install ${FONT_PACKAGES.join(' ')}`,
      };
}
