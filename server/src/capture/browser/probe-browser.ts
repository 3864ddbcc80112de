import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { RandomBytes } from '../../platform/random.js';
import type { EgressProxy } from '../guard/egress-proxy.js';
import { type BlankPage, openBlankPage } from './blank-page.js';
import type { Browser } from './browser.js';
import { completeInTime } from './browser-health.js';
import { EndpointProblem } from './browser-endpoint.js';
import { REQUIRED_FLAGS } from './browser-flags.js';

interface ProbeOptions {
  readonly guard: Pick<EgressProxy, 'openLane' | 'probeSite'>;
  readonly randomBytes: RandomBytes;
}

const NONCE_BYTES = 16;
const PAGE_TIMEOUT_MS = 10_000;
const GATHERING_TIMEOUT_MS = 4_000;

/**
 * Hosts that pages must reach only through the guard, although Chromium by default connects to them without a proxy:
 * its own machine and a link-local address.
 */
const PROXIED_HOSTS = ['127.0.0.1:49151', 'localhost:49151', '[::1]:49151', '169.254.169.254'];

/**
 * A script that looks for WebRTC candidates with a STUN server, as WebRTC does to reach another peer. It returns true
 * if the search is complete in time without a single UDP candidate, or if the browser has no WebRTC.
 */
const gatherWithoutUdp = (stunUrl: string) => `(async () => {
  if (typeof RTCPeerConnection === 'undefined') return true;
  const connection = new RTCPeerConnection({ iceServers: [{ urls: ${JSON.stringify(stunUrl)} }] });
  const gathering = new Promise((resolve) => {
    connection.onicecandidate = ({ candidate }) => / udp /i.test(candidate?.candidate ?? '') && resolve(false);
    connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve(true);
  });
  connection.createDataChannel('probe');
  await connection.setLocalDescription(await connection.createOffer());
  const late = new Promise((resolve) => setTimeout(() => resolve(false), ${GATHERING_TIMEOUT_MS}));
  const isWithoutUdp = await Promise.race([gathering, late]);
  connection.close();
  return isWithoutUdp;
})()`;

const unreachableGuard = (server: string, detail: string) =>
  new EndpointProblem(
    `its pages do not come through the guard at ${server}; set SIGNPOST_GUARD_ADDRESS to an address of this machine ` +
      'that the browser reaches, and let its connections in',
    detail,
  );

const pastTheGuard = (host: string) =>
  new EndpointProblem(`its pages reach ${host} past the guard; start it without a proxy list of its own`);

const udpPastTheGuard = () =>
  new EndpointProblem(`its WebRTC sends UDP past the guard; start it with ${REQUIRED_FLAGS}`);

async function evaluate({ protocol }: BlankPage, expression: string): Promise<unknown> {
  const { result } = await protocol.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  const value: unknown = result.value;
  return value;
}

async function textAt(page: BlankPage, url: string): Promise<unknown> {
  const { errorText, loaderId } = await page.protocol.send('Page.navigate', { url });
  if (errorText !== undefined || loaderId === undefined) throw new Error(errorText ?? 'no document');
  await page.document.untilArrived(loaderId);
  await page.document.untilComplete();
  return evaluate(page, 'document.documentElement.textContent');
}

/** Whether the guard responds if a page requests this address. Throws if the page does not load, or not in time. */
const isAnsweredByGuard = async (page: BlankPage, url: string, text: string): Promise<boolean> =>
  (await completeInTime(textAt(page, url), PAGE_TIMEOUT_MS, 'A page')) === text;

async function listenForUdp(host: string): Promise<Socket> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, host, resolve);
  });
  return socket;
}

async function sendsUdp(page: BlankPage, guardHost: string): Promise<boolean> {
  const socket = await listenForUdp(guardHost.replace(/^\[|\]$/gu, ''));
  let datagrams = 0;
  socket.on('message', () => (datagrams += 1));
  try {
    const stunUrl = `stun:${guardHost}:${socket.address().port}`;
    const isWithoutUdp = await evaluate(page, gatherWithoutUdp(stunUrl));
    return isWithoutUdp !== true || datagrams > 0;
  } finally {
    socket.close();
  }
}

/**
 * Checks that pages of this browser reach the network only through the guard. Throws an EndpointProblem that says what
 * to change if they do not. The caller must give up on a browser that stalls.
 */
export async function probeBrowser(browser: Browser, options: ProbeOptions): Promise<void> {
  const { guard, randomBytes } = options;
  const lane = await guard.openLane();
  const { server } = lane.proxy;
  const nonce = () => randomBytes(NONCE_BYTES).toString('hex');
  const text = nonce();
  const path = nonce();
  const outside = `http://${nonce()}.signpost.invalid/${path}`;
  const inside = PROXIED_HOSTS.map((host) => `http://${host}/${path}`);
  const end = guard.probeSite.serve([outside, ...inside], text);
  let page: BlankPage | undefined;
  try {
    page = await openBlankPage(browser, lane);
    const isReached = await isAnsweredByGuard(page, outside, text).catch((error: unknown) => {
      throw unreachableGuard(server, /net::\w+/u.exec(String(error))?.[0] ?? 'no answer');
    });
    if (!isReached) throw unreachableGuard(server, 'answered by somebody else');
    for (const address of inside.toReversed()) {
      const isGuarded = await isAnsweredByGuard(page, address, text).catch(() => false);
      if (!isGuarded) throw pastTheGuard(new URL(address).host);
    }
    // Now that the page has a loopback address, to which browsers allow the most, checks whether it can send UDP.
    if (await sendsUdp(page, new URL(server).hostname)) throw udpPastTheGuard();
  } finally {
    end();
    await page?.close().catch(() => undefined);
  }
}
