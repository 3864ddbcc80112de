import { McpThrottle } from './mcp-throttle.js';

const MAX_UNCOUNTED = 60;
const KEY = 7;
const ONE_CALL = { running: 1, others: 0 };

/** Makes calls whose caller hangs up while the operation runs. They are counted in the end if `isCounted`. */
async function callsLeft(throttle: McpThrottle, isCounted: boolean): Promise<void> {
  for (let call = 0; call < MAX_UNCOUNTED; call += 1) {
    const { began, ran, end } = throttle.admit(KEY, ONE_CALL);
    let finish: () => void = () => undefined;
    began(new Promise<void>((resolve) => (finish = resolve)));
    const ended = end();
    if (isCounted) ran();
    finish();
    await ended;
  }
}

test('does not throttle after calls that are counted after their caller hung up', async () => {
  const throttle = new McpThrottle(() => 0);
  await callsLeft(throttle, true);
  expect(() => throttle.admit(KEY, ONE_CALL)).not.toThrow();
});

test('throttles after calls that are never counted, even if the caller hung up', async () => {
  const throttle = new McpThrottle(() => 0);
  await callsLeft(throttle, false);
  expect(() => throttle.admit(KEY, ONE_CALL)).toThrow(/^Too many calls that were wrong or past the limit/u);
});
