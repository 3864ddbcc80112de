/** No UDP of WebRTC past the proxy; one flag for each kind of browser. */
const WEBRTC_FLAGS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
] as const;

/** Those without which nothing but the proxy of a context keeps a browser off the network. */
export const NEEDED_FLAGS = [...WEBRTC_FLAGS, '--disable-quic'].join(' ');

/** What Playwright's own flags do not say already. */
const FLAGS = [
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
