import { fakeExecution } from '../fixtures/fake-execution';
import { runInBatches } from '../../../nodes/shared/pacing';

const { context } = fakeExecution({ parameters: {}, answer: () => undefined });

/** Runs tasks of which one may fail. Returns the outcome, which began and when, and the most that ran at once. */
async function observe(count: number, size: number, intervalMs = 0, failing = -1) {
  const begun: number[] = [];
  const times: number[] = [];
  let underWay = 0;
  let most = 0;
  const done = runInBatches(context, count, { size, intervalMs }, async (index) => {
    begun.push(index);
    times.push(Date.now());
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay -= 1;
    if (index === failing) throw new Error('failed');
  }).then(
    () => 'done',
    (error: unknown) => String(error),
  );
  await jest.runAllTimersAsync();
  return { outcome: await done, begun, times, most };
}

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

test('every task starts once, in order, and at most a batch of them run at the same time', async () => {
  const { begun, most } = await observe(25, 4);
  expect(begun).toEqual(Array.from({ length: 25 }, (_, index) => index));
  expect(most).toBe(4);
});

test('there is a pause of one interval between each batch and the next', async () => {
  const { times } = await observe(5, 2, 1_000);
  expect(times).toEqual([0, 0, 1_000, 1_000, 2_000]);
});

test('tasks soon stop starting after one has failed', async () => {
  const { outcome, begun } = await observe(100, 2, 0, 3);
  expect(outcome).toBe('Error: failed');
  expect(begun.length).toBeLessThan(8);
});
