import { never, settle } from '../../../../test/fixtures/capture/controlled-queue.js';
import { ANYONE, WorkPermits } from './work-permits.js';

const LOOK_MS = 50;
const idle = () => Promise.resolve(true);
const busy = () => Promise.resolve(false);

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
});
afterEach(() => {
  jest.useRealTimers();
});

async function pass(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  await settle();
}

function openWait() {
  let end: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (end = resolve));
  return { waiting, end: () => end() };
}

/** A capture that holds the only permit, and another one that waits for it. */
async function twoCaptures() {
  const permits = new WorkPermits(1, () => 0);
  const first = permits.of(ANYONE, never());
  await first.take();
  const second = permits.of(ANYONE, never());
  const isTaken = { second: false };
  void second.take().then(() => (isTaken.second = true));
  await settle();
  return { permits, first, second, isTaken };
}

test('a capture whose page is idle while it waits passes its permit to another one, and then takes it again', async () => {
  const { permits, first, second, isTaken } = await twoCaptures();
  expect(isTaken.second).toBe(false);
  const { waiting, end } = openWait();
  const left = first.yieldDuring(waiting, idle);
  await pass(LOOK_MS);
  expect(isTaken.second).toBe(true);
  end();
  await left;
  let isTakenAgain = false;
  const again = first.take().then(() => (isTakenAgain = true));
  await settle();
  expect(isTakenAgain).toBe(false);
  second.end();
  await again;
  expect(permits.taken).toBe(1);
  first.end();
  expect(permits.taken).toBe(1);
  await settle();
  expect(permits.taken).toBe(0);
});

test.each([
  ['whose page is busy', busy, LOOK_MS * 3],
  ['that hardly waits', idle, LOOK_MS - 1],
])('a capture %s keeps its permit', async (_name, isIdle, ms) => {
  const { first, isTaken } = await twoCaptures();
  const { waiting, end } = openWait();
  const left = first.yieldDuring(waiting, isIdle);
  await pass(ms);
  expect(isTaken.second).toBe(false);
  end();
  await left;
  expect(isTaken.second).toBe(false);
});

test('does not check a page as long as no other capture waits for its permit', async () => {
  const permits = new WorkPermits(1, () => 0);
  const first = permits.of(ANYONE, never());
  await first.take();
  const { waiting, end } = openWait();
  const isIdle = jest.fn(idle);
  const left = first.yieldDuring(waiting, isIdle);
  await pass(LOOK_MS);
  await pass(LOOK_MS);
  expect(isIdle).not.toHaveBeenCalled();
  end();
  await left;
});

test('an account whose quota is all permits but one leaves that one to another account', async () => {
  const permits = new WorkPermits(2, () => 0);
  const begun: string[] = [];
  const take = (accountId: string, name: string) => {
    const permit = permits.of({ accountId, quota: 'allButOne' }, never());
    void permit.take().then(() => begun.push(name));
    return permit;
  };
  const [first] = [take('a', 'a1'), take('a', 'a2'), take('a', 'a3')];
  await settle();
  expect(begun).toEqual(['a1']);
  take('b', 'b1');
  await settle();
  expect(begun).toEqual(['a1', 'b1']);
  first.end();
  await settle();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

test('a caller that disconnects while its capture waits for a permit takes none', async () => {
  const { permits, first } = await twoCaptures();
  const leaving = new AbortController();
  const third = permits.of(ANYONE, leaving.signal).take();
  leaving.abort();
  await expect(third).rejects.toThrow('The connection was closed');
  first.end();
  await settle();
  expect(permits.taken).toBe(1);
});
