/** No UDP of WebRTC past the proxy; one flag for each kind of browser. */
const WEBRTC_FLAGS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
] as const;

/** Those without which nothing but the proxy of a context keeps a browser off the network. */
export const REQUIRED_FLAGS = [...WEBRTC_FLAGS, '--disable-quic'].join(' ');

const DISABLED_FEATURES = [
  // Addresses are opened as they were given.
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  // Requests of the browser's own.
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
];

/** What a page is told of the screen: a mouse, and for how long nothing is fetched until the network counts as quiet. */
const BLINK_SETTINGS = [
  'primaryHoverType=2',
  'availableHoverTypes=2',
  'primaryPointerType=4',
  'availablePointerTypes=4',
  'NetworkQuietTimeout=0.01',
];

const FLAGS = [
  // A page and its frames run in one process, whatever their origins: what it takes is then what the capture takes.
  '--disable-site-isolation-trials',
  // Nothing but the pages that were asked for uses the network.
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
  // Everything that does goes through the proxy.
  '--disable-quic',
  ...WEBRTC_FLAGS,
  // Without it Chromium goes to loopback addresses past the proxy.
  '--proxy-bypass-list=<-loopback>',
  // Nobody is there to see windows or prompts, or to hear.
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
  // Several pages are looked at at the same time, each as if it were the one in front.
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  // What goes wrong is told to us, and to nobody else.
  '--disable-breakpad',
  // Pictures look alike on every machine.
  '--force-color-profile=srgb',
  '--enable-unsafe-swiftshader',
  '--enable-features=CDPScreenshotNewSurface',
  // A picture is painted with the frame it belongs to, not some frames later when it is decoded.
  '--disable-checker-imaging',
  `--disable-features=${DISABLED_FEATURES.join()}`,
  `--blink-settings=${BLINK_SETTINGS.join()}`,
] as const;

export interface FlagOptions {
  /** The guard, as in "http://127.0.0.1:3128". */
  readonly proxyServer: string;
  readonly withoutSandbox: boolean;
  /** Whether the machine's shared memory has room for the browser's bitmaps. */
  readonly fitsSharedMemory: boolean;
}

/** The command line of a browser of this machine. */
export const browserFlags = ({ proxyServer, withoutSandbox, fitsSharedMemory }: FlagOptions): string[] => [
  ...FLAGS,
  `--proxy-server=${proxyServer}`,
  ...(withoutSandbox ? ['--no-sandbox'] : []),
  // Suits any machine: files in the temporary folder, which are slow on a disk.
  ...(fitsSharedMemory ? [] : ['--disable-dev-shm-usage']),
];
