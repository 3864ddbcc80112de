import { McpThrottle } from './mcp-throttle.js';

const MAX_UNCOUNTED = 60;
const KEY = 7;
const ONE_CALL = { running: 1, handshakes: 0, others: 0 };
const ONE_LIST = { running: 0, handshakes: 0, others: 1 };
const ONE_PING = { running: 0, handshakes: 1, others: 0 };
const throttleOf = (perMinute: number | null) =>
  new McpThrottle(
    () => 0,
    () => Promise.resolve(perMinute),
  );

/** Makes 60 calls whose caller hangs up while the operation runs. If `isCounted`, they are counted all the same. */
async function callsLeft(throttle: McpThrottle, isCounted: boolean): Promise<void> {
  for (let call = 0; call < MAX_UNCOUNTED; call += 1) {
    const { started, admitted, end } = await throttle.admit(KEY, ONE_CALL);
    let finish: () => void = () => undefined;
    started(new Promise<void>((resolve) => (finish = resolve)));
    const ended = end();
    if (isCounted) admitted();
    finish();
    await ended;
  }
}

test('calls whose caller hung up are not throttled if they were counted', async () => {
  const throttle = throttleOf(15);
  await callsLeft(throttle, true);
  await expect(throttle.admit(KEY, ONE_CALL)).resolves.toBeDefined();
});

test('calls whose caller hung up are throttled if they were never counted', async () => {
  const throttle = throttleOf(15);
  await callsLeft(throttle, false);
  await expect(throttle.admit(KEY, ONE_CALL)).rejects.toThrow(
    /^Too many calls that were wrong or past the limit/u,
  );
});

test.each([
  ['list requests of a key without a limit', null, ONE_LIST, 6_000],
  ['list requests of a key with 100 requests per minute', 100, ONE_LIST, 400],
  ['list requests of a key with 5 requests per minute', 5, ONE_LIST, 60],
  ['pings of a key with 5 requests per minute', 5, ONE_PING, 600],
])(
  'admits MCP messages up to a maximum per minute, counted by key: %s',
  async (_what, perMinute, messages, max) => {
    const throttle = throttleOf(perMinute);
    for (let sent = 0; sent < max; sent += 1) await throttle.admit(KEY, messages);
    await expect(throttle.admit(KEY, messages)).rejects.toThrow(`at most ${max} in a minute`);
    await expect(throttle.admit(KEY + 1, messages)).resolves.toBeDefined();
  },
);
