import { createServer } from 'node:http';
import { captureScreenshotRequest } from '@signpost/contract';
import { BrowserDoesNotStart, type BrowserProblem } from '../capture/browser/browser-problem.js';
import { isRoot, ROOT_HAS_NO_SANDBOX } from '../capture/browser/browser-flags.js';
import type { EndpointState } from '../capture/browser/browser-pool.js';
import { findMissingFonts, NO_FONT } from '../capture/browser/find-browser.js';
import { FONT_PACKAGES } from '../capture/browser/install-browser.js';
import type { CaptureService, CaptureState } from '../capture/capture-service.js';
import { FAILURE_TEXTS, failureReasonOf } from '../capture/failure-watch.js';
import { errorCode } from '../platform/errors.js';
import { failedFinding, type Finding } from '../platform/finding.js';
import { installCommand, readSystemFamily, type SystemFamily } from '../platform/system-packages.js';
import type { RandomBytes } from '../platform/random.js';
import type { Config } from './config.js';
import { memoryFinding } from './memory-finding.js';

const NAME = 'Browser';
const ISOLATED_NAME = 'Browser for credentials';

/**
 * Starts a capture service. Its guard, the proxy through which browsers load pages, gets another port if the configured
 * one is in use, for example by a running server.
 */
async function startService(config: Config, randomBytes: RandomBytes, onProblem: (message: string) => void) {
  const { startCapture } = await import('../capture/start-capture.js');
  const { browser, capture } = config;
  const note = (_fields: object, message: string) => onProblem(message);
  const options = {
    ...capture,
    ...browser,
    // The doctor's own page is at 127.0.0.1, which must be allowed besides the configured addresses.
    allowAddresses: [...capture.allowAddresses, '127.0.0.1'],
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

const PAGE_TIMEOUT_MS = 15_000;

/** The finding for a browser that does not start, with the browser's own error message. */
function problemFinding(name: string, { why, cure, words }: BrowserProblem): Finding {
  const quoted = words === '' || why.includes(words) ? '' : `; it wrote: "${words}"`;
  return { name, state: 'does not work', message: `it does not start: ${why}${quoted}`, advice: cure };
}

const browserFailure = (name: string, error: unknown): Finding =>
  error instanceof BrowserDoesNotStart ? problemFinding(name, error.problem) : failedFinding(name, error);

/** Any header makes a capture count as one with credentials. */
const CREDENTIALS = { headers: { 'X-Signpost-Doctor': 'yes' } };

/** Captures a page that this process serves: only a real capture shows that captures work. */
async function captureFinding(
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
    return browserFailure(name, error);
  } finally {
    page.close();
  }
}

const OWN_NETWORK =
  'If this server only captures pages of your own network, name a host of it in SIGNPOST_NETWORK_PROBE.';

/**
 * Captures a page on another machine. Any HTTP status is a success: a response shows that name servers, guard and proxy
 * work, and over https also that certificates do.
 */
async function outsidePage(service: CaptureService, name: string): Promise<Finding> {
  const load = (url: string) =>
    service.screenshot(captureScreenshotRequest.parse({ url }), AbortSignal.timeout(PAGE_TIMEOUT_MS));
  const heading = 'Pages of other machines';
  const [secure, plain] = [`https://${name}/`, `http://${name}/`];
  try {
    // A host of one's own network may not speak https, so http is tried next.
    const { durationMs } = await load(secure).catch((error: unknown) => {
      if (failureReasonOf(error) !== 'unreachable') throw error;
      return load(plain);
    });
    const message = `${name} was captured in ${Math.round(durationMs)} ms`;
    return { name: heading, state: 'works', message };
  } catch (error) {
    const { message } = failedFinding(heading, error);
    const reason = failureReasonOf(error);
    return {
      name: heading,
      // Without the Internet, as on some company networks, an unknown name is not a fault.
      state: reason === 'name' ? 'could be better' : 'does not work',
      message: `${name}: ${message}`,
      advice: `${FAILURE_TEXTS[reason].cure} ${OWN_NETWORK}`,
    };
  }
}

/**
 * Captures the hosts of SIGNPOST_NETWORK_PROBE in turn until a capture succeeds. If none does, reports the failure of
 * the first one. Reports nothing if there are no hosts, or if the network itself is down.
 */
async function outsideFinding(
  service: CaptureService,
  names: readonly string[],
): Promise<readonly Finding[]> {
  let first: Finding | undefined;
  for (const name of names) {
    const finding = await outsidePage(service, name);
    // If the network itself is down, the finding about the network says why.
    if (service.state().networkProblem !== undefined) return [];
    if (finding.state === 'works') return [finding];
    first ??= finding;
  }
  return first === undefined ? [] : [first];
}

/**
 * Starts the browser of this machine, or connects to each remote one, takes test captures, and returns the findings.
 */
export async function browserFindings(config: Config, randomBytes: RandomBytes): Promise<readonly Finding[]> {
  const reasons: string[] = [];
  let service: CaptureService;
  try {
    service = await startService(config, randomBytes, (message) => reasons.push(message));
  } catch (error) {
    return [browserFailure(NAME, error)];
  }
  try {
    const endpoints = service.state().endpoints.map(endpointFinding);
    // If no remote browser works, each has a finding of its own, which "Browser" would only repeat.
    if (endpoints.length > 0 && endpoints.every(({ state }) => state !== 'works')) return endpoints;
    const isRemote = endpoints.length > 0;
    const plain = await captureFinding(service, NAME, isRemote ? [] : reasons);
    // Remote browsers also serve captures with credentials, so they need no second test.
    const isolated =
      isRemote || plain.state === 'does not work'
        ? []
        : [await captureFinding(service, ISOLATED_NAME, [], CREDENTIALS)];
    const outside =
      plain.state === 'does not work' ? [] : await outsideFinding(service, config.capture.probeNames);
    return [plain, ...isolated, ...endpoints, ...memoryFinding(config), ...outside];
  } finally {
    await service.close();
  }
}

/**
 * The findings about the browsers of a running server, and about memory if it has a browser of its own. Takes no test
 * capture, as the server itself captures pages.
 */
export function runningBrowserFindings(
  {
    browser,
    isolationProblem,
    browserProblem,
    program,
    endpoints,
  }: Pick<CaptureState, 'browser' | 'isolationProblem' | 'browserProblem' | 'program' | 'endpoints'>,
  config: Config,
): readonly Finding[] {
  if (endpoints.length > 0) return endpoints.map(endpointFinding);
  const isUnsafe = !config.browser.withoutSandbox && isRoot();
  const states = {
    ready: {
      name: NAME,
      state: isUnsafe ? 'could be better' : 'works',
      message: `${program}, ready`,
      ...(isUnsafe ? { advice: ROOT_HAS_NO_SANDBOX } : {}),
    },
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
  const plain =
    browser !== 'ready' && browserProblem !== undefined
      ? problemFinding(NAME, browserProblem)
      : states[browser];
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
  return [plain, ...isolation, ...memoryFinding(config)];
}

/** The finding if captures of a running server fail one after the other, unless another finding says why. */
export function failingFinding({
  failing,
  networkProblem,
  browser,
  browserProblem,
}: CaptureState): readonly Finding[] {
  // If the network is down, the finding about the network already says so.
  if (failing === undefined || networkProblem !== undefined) return [];
  const { reason, count, detail } = failing;
  const isBrowserReported = browser === 'down' || (browser === 'starting' && browserProblem !== undefined);
  if (reason === 'browser' && isBrowserReported) return [];
  const { why, cure } = FAILURE_TEXTS[reason];
  const details = detail === '' ? '' : ` (${detail})`;
  return [
    {
      name: 'Captures',
      state: reason === 'browser' || reason === 'disk' ? 'does not work' : 'could be better',
      message: `the last ${count} failed because ${why}${details}`,
      advice: `If other pages fail too: ${cure}`,
    },
  ];
}

const FONT_ADVICE: Readonly<Record<SystemFamily, string>> = {
  debian: installCommand('debian', FONT_PACKAGES),
  alpine: installCommand('alpine', ['font-noto', 'font-noto-cjk', 'font-noto-emoji']),
  fedora: installCommand('fedora', [
    'google-noto-sans-fonts',
    'google-noto-sans-cjk-fonts',
    'google-noto-emoji-fonts',
  ]),
  other: `Install fonts for them. On Debian or Ubuntu: ${installCommand('debian', FONT_PACKAGES)}`,
};

/**
 * Whether there are fonts for Latin, Indic, Thai and East Asian characters, and for emoji, judging by the names of the
 * font files. On systems other than Linux, assumes that there are.
 */
export async function fontsFinding(): Promise<Finding> {
  const name = 'Fonts';
  const missing = await findMissingFonts();
  return missing.length === 0
    ? { name, state: 'works', message: 'Latin, Indic, Thai and East Asian characters and emoji can be shown' }
    : {
        name,
        state: missing.includes(NO_FONT) ? 'does not work' : 'could be better',
        message: `no font for ${missing.join(', ')}`,
        advice: FONT_ADVICE[await readSystemFamily()],
      };
}
