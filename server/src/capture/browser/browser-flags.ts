import type { BrowserKind } from './browser-kind.js';

/** Keep WebRTC from sending UDP past the proxy. Each flag is for another kind of browser. */
const WEBRTC_FLAGS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
] as const;

/** Without these flags, only a context's proxy keeps a browser off the network. */
export const REQUIRED_FLAGS = [...WEBRTC_FLAGS, '--disable-quic'].join(' ');

const DISABLED_FEATURES = [
  // Addresses are opened as given.
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  // Requests of the browser itself.
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
];

/**
 * The input devices that pages see (a mouse), and the time without requests after which the network counts as
 * quiet.
 */
const BLINK_SETTINGS = [
  'primaryHoverType=2',
  'availableHoverTypes=2',
  'primaryPointerType=4',
  'availablePointerTypes=4',
  'NetworkQuietTimeout=0.01',
];

const FLAGS = [
  // Only the captured pages may use the network.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-sync',
  '--dns-prefetch-disable',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-service-autorun',
  // Everything that uses the network goes through the proxy.
  '--disable-quic',
  ...WEBRTC_FLAGS,
  // Otherwise Chromium connects to loopback addresses past the proxy.
  '--proxy-bypass-list=<-loopback>',
  // Nobody sees windows or prompts, or hears sounds.
  '--headless',
  '--no-startup-window',
  '--hide-scrollbars',
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--disable-infobars',
  '--disable-notifications',
  '--disable-prompt-on-repost',
  '--disable-search-engine-choice-screen',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  // Several pages are captured at once, each as if it were in the foreground.
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  // Errors are only reported to us.
  '--disable-breakpad',
  // Pictures look alike on every machine.
  '--force-color-profile=srgb',
  '--enable-unsafe-swiftshader',
  '--enable-features=CDPScreenshotNewSurface',
  // A picture is painted in its own frame, not some frames later after decoding.
  '--disable-checker-imaging',
  `--disable-features=${DISABLED_FEATURES.join()}`,
  `--blink-settings=${BLINK_SETTINGS.join()}`,
] as const;

/** Whether a page and its frames share one process. */
const OF_KIND: Readonly<Record<BrowserKind, string>> = {
  plain: '--disable-site-isolation-trials',
  isolated: '--site-per-process',
  steps: '--site-per-process',
};

export interface FlagOptions {
  readonly kind: BrowserKind;
  /** The guard's address, such as "http://127.0.0.1:3128". */
  readonly proxyServer: string;
  readonly withoutSandbox: boolean;
  /** Whether the machine's shared memory is large enough for the browser's bitmaps. */
  readonly fitsSharedMemory: boolean;
}

/** The command line of a local browser. */
export const browserFlags = ({
  kind,
  proxyServer,
  withoutSandbox,
  fitsSharedMemory,
}: FlagOptions): string[] => [
  ...FLAGS,
  OF_KIND[kind],
  `--proxy-server=${proxyServer}`,
  ...(withoutSandbox ? ['--no-sandbox'] : []),
  // Works on any machine: uses files in the temporary folder, which are slow on a disk.
  ...(fitsSharedMemory ? [] : ['--disable-dev-shm-usage']),
];
