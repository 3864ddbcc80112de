import { type Browser, chromium } from 'playwright';
import { ServiceError } from '../../platform/errors.js';
import { BROWSER_ADVICE } from './find-browser.js';

/** No UDP of WebRTC past the proxy; one flag for each kind of browser. */
const WEBRTC_FLAGS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
] as const;

/** Those without which nothing but the proxy of a context keeps a browser off the network. */
export const REQUIRED_FLAGS = [...WEBRTC_FLAGS, '--disable-quic'].join(' ');

/** What Playwright's own flags do not say already. */
const FLAGS = [
  // A page and its frames run in one process, whatever their origins: what it takes is then what the capture takes.
  '--disable-site-isolation-trials',
  // Nothing but the pages that were asked for uses the network.
  '--disable-domain-reliability',
  '--dns-prefetch-disable',
  '--no-pings',
  // Everything that does goes through the proxy.
  '--disable-quic',
  ...WEBRTC_FLAGS,
  // Without it Chromium goes to loopback addresses past the proxy.
  '--proxy-bypass-list=<-loopback>',
  // Nobody is there to see windows or prompts, or to hear.
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--disable-notifications',
  '--mute-audio',
  '--disable-hang-monitor',
  // A picture is painted with the frame it belongs to, not some frames later when it is decoded.
  '--disable-checker-imaging',
] as const;

/** The command line of the browser beside Playwright's own; the proxy as in "http://127.0.0.1:3128". */
export const browserFlags = (proxyServer: string): string[] => [...FLAGS, `--proxy-server=${proxyServer}`];

const START_TIMEOUT_MS = 30_000;

interface LaunchOptions {
  readonly program: string;
  readonly proxyServer: string;
  readonly withoutSandbox: boolean;
  /** Whether the machine's shared memory has room for the browser's bitmaps. */
  readonly fitsSharedMemory: boolean;
}

const explain = (message: string) =>
  /no usable sandbox|namespace sandbox|setuid sandbox|without --no-sandbox/iu.test(message)
    ? 'The sandbox of the browser cannot start on this machine: allow unprivileged user namespaces, or, where only ' +
      'trusted pages are captured, set SIGNPOST_BROWSER_WITHOUT_SANDBOX=yes.'
    : `The browser does not start. ${BROWSER_ADVICE}`;

/** Starts the browser; throws a ServiceError that says why it could not. */
export async function launchBrowser({
  program,
  proxyServer,
  withoutSandbox,
  fitsSharedMemory,
}: LaunchOptions): Promise<Browser> {
  try {
    return await chromium.launch({
      executablePath: program,
      args: browserFlags(proxyServer),
      // Playwright's own choice suits any machine: files in the temporary folder, which are slow on a disk.
      ignoreDefaultArgs: fitsSharedMemory ? ['--disable-dev-shm-usage'] : [],
      chromiumSandbox: !withoutSandbox,
      timeout: START_TIMEOUT_MS,
      // Signals are for the command line to answer: captures under way are finished first.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new ServiceError('overloaded', explain(detail), { detail, cause: error, retryAfterSeconds: 30 });
  }
}
