/**
 * Hosts that pages of other sites cannot reach with "blockAds", even without the operator's lists: common ad and
 * tracking servers.
 */
const HOSTS = [
  ...['2mdn.net', 'adform.net', 'adnxs.com', 'adsafeprotected.com', 'adsrvr.org', 'adservice.google.com'],
  ...[
    'amazon-adsystem.com',
    'bidswitch.net',
    'bluekai.com',
    'casalemedia.com',
    'chartbeat.com',
    'criteo.com',
  ],
  ...[
    'criteo.net',
    'demdex.net',
    'doubleclick.net',
    'doubleverify.com',
    'everesttech.net',
    'flashtalking.com',
  ],
  ...['fundingchoicesmessages.google.com', 'google-analytics.com', 'googleadservices.com'],
  ...['googlesyndication.com', 'googletagservices.com', 'hotjar.com', 'imrworldwide.com', 'indexww.com'],
  ...['krxd.net', 'lijit.com', 'media.net', 'mgid.com', 'moatads.com', 'mookie1.com', 'openx.net'],
  ...['outbrain.com', 'pubmatic.com', 'quantserve.com', 'revcontent.com', 'rlcdn.com', 'rubiconproject.com'],
  ...['scorecardresearch.com', 'sharethrough.com', 'smartadserver.com', 'taboola.com', 'teads.tv'],
  ...['tribalfusion.com', 'yieldmo.com', 'zedo.com'],
];

/** Selectors of elements that usually contain advertisements. */
const ELEMENTS = [
  '.adsbygoogle',
  '.google-auto-placed',
  '[id^="google_ads_iframe_"]',
  '[id^="div-gpt-ad"]',
  '[id^="taboola-"]',
  '.OUTBRAIN',
  '.trc_related_container',
  '[data-ad-slot]',
  '[data-google-query-id]',
  '.ad-banner',
  '.ad-container',
  '.ad-slot',
  '.advertisement',
  '#ad-banner',
];

/** The built-in list, in the syntax of filter lists. */
export const OWN_BLOCK_LIST = [
  ...HOSTS.map((host) => `||${host}^$third-party`),
  ...ELEMENTS.map((selector) => `##${selector}`),
].join('\n');
