import type { BrowserKind } from './browser-kind.js';

export const ROOT_HAS_NO_SANDBOX = 'Running as root: the browser has no sandbox. An ordinary user is safer.';

/** Whether this process runs as root. Chromium refuses to run its sandbox as root. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/** Flags that keep WebRTC from bypassing the proxy with UDP. Which of them works depends on the program. */
const WEBRTC_FLAGS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
] as const;

/**
 * The flags, as one text, that keep UDP traffic of pages (WebRTC and QUIC) from bypassing the proxy. Every browser
 * must have them.
 */
export const REQUIRED_FLAGS = [...WEBRTC_FLAGS, '--disable-quic'].join(' ');

const DISABLED_FEATURES = [
  // Turns off features that would open other addresses than the requested ones, look for devices, or delay painting.
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  // Turns off features that send requests of the browser itself.
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
];

/**
 * The input devices that pages see (only a mouse), and how long the network must be without requests to count as
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
  // Only captured pages may use the network, so the browser itself may not.
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
  // Everything that uses the network must go through the proxy.
  '--disable-quic',
  ...WEBRTC_FLAGS,
  // Without this, Chromium connects to loopback addresses without the proxy.
  '--proxy-bypass-list=<-loopback>',
  // There is nobody to see windows and prompts, or to hear sounds.
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
  // Several pages are captured at once, and each must behave as if it were in the foreground.
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  // Crashes must not be reported to others.
  '--disable-breakpad',
  // Pictures must depend on the machine as little as possible.
  '--force-color-profile=srgb',
  '--enable-unsafe-swiftshader',
  '--enable-features=CDPScreenshotNewSurface',
  // A page that scrolls to a #fragment or an element must be there at once.
  '--disable-smooth-scrolling',
  // An image on a page must be painted with the rest of its frame, and not some frames later once it is decoded.
  '--disable-checker-imaging',
  `--disable-features=${DISABLED_FEATURES.join()}`,
  `--blink-settings=${BLINK_SETTINGS.join()}`,
] as const;

/** The flag that decides whether a page and its frames share one process. */
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

/** The flags of a local browser, except those for its profile and its pipes. */
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
  // Without enough shared memory, the browser uses files in the temporary folder, which are slow on a disk.
  ...(fitsSharedMemory ? [] : ['--disable-dev-shm-usage']),
];
