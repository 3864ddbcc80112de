/** What Playwright's own flags do not say already. */
const FLAGS = [
  // Nothing but the pages that were asked for uses the network.
  '--disable-domain-reliability',
  '--dns-prefetch-disable',
  '--no-pings',
  // Everything that does goes through the proxy: no UDP of QUIC or WebRTC (one flag for each kind of browser).
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Without it Chromium goes to loopback addresses past the proxy.
  '--proxy-bypass-list=<-loopback>',
  // Nobody is there to see windows or prompts, or to hear.
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--disable-notifications',
  '--mute-audio',
  '--disable-hang-monitor',
] as const;

/** The command line of the browser beside Playwright's own. */
export const browserFlags = (proxyPort: number): string[] => [
  ...FLAGS,
  `--proxy-server=http://127.0.0.1:${proxyPort}`,
];
