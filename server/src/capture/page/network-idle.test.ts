import { scriptedPage } from '../../../../test/fixtures/capture/scripted-page.js';
import { isLoadedByStyles, mayEnd, NetworkIdle } from './network-idle.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Whether the network counts as idle after requests of these types, none of which has ended. */
async function isIdleAfter(types: readonly string[], isAwaited: typeof mayEnd): Promise<boolean> {
  const { open } = scriptedPage({ reply: () => ({}), evaluate: () => Promise.resolve() });
  const network = await NetworkIdle.follow(open.sessions, 0, isAwaited);
  for (const [requestId, type] of types.entries())
    open.protocol.emit('Network.requestWillBeSent', { requestId: String(requestId), type });
  let isIdle = false;
  void network.untilIdle().then(() => (isIdle = true));
  await jest.advanceTimersByTimeAsync(10);
  open.deadline.end();
  return isIdle;
}

test('with isLoadedByStyles, the network is idle during scripts, fetches and reports, but not during the request of a font', async () => {
  expect(await isIdleAfter(['Fetch', 'XHR', 'Script', 'CSPViolationReport'], isLoadedByStyles)).toBe(true);
  expect(await isIdleAfter(['Fetch', 'Font'], isLoadedByStyles)).toBe(false);
});

test('with mayEnd, the network is idle during event streams, WebSockets, pings and media, but not during a fetch', async () => {
  expect(await isIdleAfter(['EventSource', 'WebSocket', 'Ping', 'Media'], mayEnd)).toBe(true);
  expect(await isIdleAfter(['Ping', 'Fetch'], mayEnd)).toBe(false);
});
