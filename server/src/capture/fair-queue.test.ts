import { FairQueue } from './fair-queue.js';
import { names, never, settle, controlledQueue } from '../../../test/fixtures/capture/controlled-queue.js';

const ACCOUNT_FULL = /^Your account has \d+ captures? under way and \d+ waiting/u;
const overloaded = { kind: 'overloaded', retryAfterSeconds: 5 };
const QUEUE_FULL = /^Too many captures are waiting\. .* This request was not counted\.$/u;

test("while one account's endless captures fill its quota, another account's captures start at once", async () => {
  const { queue, took, began, end } = takingTen();
  expect(took).toBe(5);
  await settle();
  expect(began).toEqual(['hostile0']);
  for (const name of names('other', 5)) {
    void queue.reserve('other', 'allButOne').run(never(), () => Promise.resolve(began.push(name)));
    await settle();
  }
  expect(began).toEqual(['hostile0', ...names('other', 5)]);
  // The endless captures are still there: one is running and four wait.
  expect(queue).toMatchObject({ active: 1, queued: 4 });
  await end('hostile0');
  expect(began.at(-1)).toBe('hostile1');
});

/** A queue with two slots and a length of eight, for which one account has requested ten captures that do not end. */
function takingTen() {
  const controlled = controlledQueue(2, 8);
  let took = 0;
  for (const name of names('hostile', 10)) {
    try {
      void controlled.take('hostile', name, 'allButOne');
      took += 1;
    } catch (error) {
      expect(error).toMatchObject({ message: expect.stringMatching(ACCOUNT_FULL) });
    }
  }
  return { ...controlled, took };
}

test("waiting accounts alternate, and each account's own work is first come, first served", async () => {
  const { take, end, began } = controlledQueue(1, 100);
  void take('a', 'a0');
  for (const name of ['a1', 'a2', 'a3', 'b0', 'b1', 'c0'])
    void take(name.slice(0, 1), name).catch(() => undefined);
  for (let ended = 0; ended < 7; ended += 1) await end(began.at(-1) ?? '');
  expect(began).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3']);
});

test.each([
  ['whole', [3, 0]],
  ['allButOne', [2, 1]],
  [1, [1, 2]],
  [7, [3, 0]],
] as const)('an account uses as many of three slots as its quota %s allows', async (quota, [taken, left]) => {
  const { take, began } = controlledQueue(3, 6);
  for (const name of names('a', 3)) void take('a', name, quota);
  await settle();
  expect(began).toHaveLength(taken);
  expect(3 - began.length).toBe(left);
});

test('the quota "all but one" is at least one slot, and follows the number of slots', async () => {
  let slots = 1;
  const queue = new FairQueue(
    () => slots,
    10,
    () => 0,
  );
  const ends: (() => void)[] = [];
  const take = () =>
    queue.reserve('a', 'allButOne').run(never(), () => new Promise<void>((resolve) => ends.push(resolve)));
  const taken = [take(), take(), take()];
  await settle();
  expect(queue).toMatchObject({ active: 1, queued: 2 });
  slots = 3;
  queue.fill();
  await settle();
  expect(queue).toMatchObject({ active: 2, queued: 1 });
  for (let at = 0; at < 3; at += 1) {
    ends[at]?.();
    await settle();
  }
  await Promise.all(taken);
});

test('rejects a reservation if the quota is used up, with a message that says what is full', async () => {
  const { queue, take, end } = controlledQueue(2, 4);
  for (const name of names('a', 3)) void take('a', name, 1);
  expect(() => queue.reserve('a', 1)).toThrow(
    'Your account has 1 capture under way and 2 waiting, which is the most that it may have. Try again in 5 seconds, or ' +
      'when one of them is done. This request was not counted.',
  );
  expect(queue.rejected).toEqual({ account: 1, queue: 0 });
  expect(() => queue.reserve('b', 1)).not.toThrow();
  await settle();
  await end('a0');
  expect(() => queue.reserve('a', 1)).not.toThrow();
});

test('a reservation counts against the quota until it is released; releasing it twice has no further effect', () => {
  const { queue } = controlledQueue(2, 4);
  const held = names('a', 3).map(() => queue.reserve('a', 1));
  expect(() => queue.reserve('a', 1)).toThrow(ACCOUNT_FULL);
  held[0]?.release();
  held[0]?.release();
  const again = queue.reserve('a', 1);
  expect(() => queue.reserve('a', 1)).toThrow(ACCOUNT_FULL);
  again.release();
  expect(queue).toMatchObject({ active: 0, queued: 0 });
});

test('work cannot run with a released reservation', async () => {
  const { queue, run, began } = controlledQueue(2, 4);
  const reservation = queue.reserve('a', 'whole');
  reservation.release();
  await expect(run(reservation, 'a0')).rejects.toMatchObject({ kind: 'invalidRequest' });
  expect(began).toEqual([]);
});

test('a full queue rejects reservations, and work with an earlier reservation still gets its space', async () => {
  const { queue, take, run, end, began } = controlledQueue(1, 1);
  void take('a', 'a0');
  const reserved = queue.reserve('b', 'whole');
  expect(() => queue.reserve('c', 'whole')).toThrow(QUEUE_FULL);
  expect(queue.rejected).toEqual({ account: 0, queue: 1 });
  void run(reserved, 'b0');
  expect(() => queue.reserve('c', 'whole')).toThrow(QUEUE_FULL);
  expect(queue).toMatchObject({ active: 1, queued: 1 });
  await settle();
  await end('a0');
  expect(began).toEqual(['a0', 'b0']);
  queue.reserve('c', 'whole').release();
  void take('c', 'c0');
  expect(queue).toMatchObject({ active: 1, queued: 1, rejected: { account: 0, queue: 2 } });
});

test('a reservation keeps its space in the queue if there are no slots any more', async () => {
  let slots = 2;
  const queue = new FairQueue(
    () => slots,
    0,
    () => 0,
  );
  const reserved = ['a', 'b'].map((account) => queue.reserve(account, 'whole'));
  slots = 0;
  const done = reserved.map((reservation) => reservation.run(never(), () => Promise.resolve('done')));
  expect(queue.queued).toBe(2);
  slots = 1;
  queue.fill();
  expect(await Promise.all(done)).toEqual(['done', 'done']);
});

test("without space to wait, the error is about the server if the account's quota allows a slot, and otherwise about the account", () => {
  const { queue, take } = controlledQueue(2, 0);
  void take('a', 'a0', 'allButOne');
  expect(() => queue.reserve('a', 'allButOne')).toThrow(ACCOUNT_FULL);
  void take('b', 'b0', 'allButOne');
  expect(() => queue.reserve('c', 'allButOne')).toThrow(QUEUE_FULL);
});

test('the work of a caller who disconnects leaves the queue, and that of a caller who disconnected before does not enter it', async () => {
  const { queue, take, end, began } = controlledQueue(1, 4);
  const leaving = new AbortController();
  void take('a', 'a0');
  const waiting = take('b', 'b0', 'whole', leaving.signal);
  void take('b', 'b1');
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ kind: 'invalidRequest' });
  expect(queue.queued).toBe(1);
  await expect(take('b', 'b2', 'whole', leaving.signal)).rejects.toMatchObject({ kind: 'invalidRequest' });
  await end('a0');
  expect(began).toEqual(['a0', 'b1']);
});

test('work that throws an error frees its slot', async () => {
  const { queue, take, began } = controlledQueue(1, 4);
  const failing = queue.reserve('a', 'whole').run(never(), () => Promise.reject(new Error('a defect')));
  void take('b', 'b0');
  await expect(failing).rejects.toThrow('a defect');
  await settle();
  expect(began).toEqual(['b0']);
});

test('closing rejects new work, and waits for running and waiting work', async () => {
  const { queue, take, end, outcomes } = controlledQueue(1, 4);
  void take('a', 'a0');
  void take('b', 'b0');
  const reserved = queue.reserve('c', 'whole');
  let isClosed = false;
  const closing = queue.close().then(() => (isClosed = true));
  expect(() => queue.reserve('d', 'whole')).toThrow('The server is stopping.');
  await expect(reserved.run(never(), () => Promise.resolve())).rejects.toMatchObject(overloaded);
  await end('a0');
  expect(isClosed).toBe(false);
  await end('b0');
  await closing;
  expect([...outcomes]).toEqual([
    ['a0', 'done'],
    ['b0', 'done'],
  ]);
});

test('while the queue closes, an account also gets slots beyond its quota', async () => {
  const { queue, take, end, began } = controlledQueue(2, 8);
  for (const name of names('a', 3)) void take('a', name, 1);
  const closing = queue.close();
  await settle();
  expect(began).toEqual(['a0', 'a1']);
  for (const name of names('a', 3)) await end(name);
  await closing;
});

test('closing ends when the last waiting caller disconnects, even if there are no slots', async () => {
  const queue = new FairQueue(
    () => 0,
    1,
    () => 0,
  );
  const leaving = new AbortController();
  const waiting = queue.reserve('a', 'whole').run(leaving.signal, () => Promise.resolve());
  const closing = queue.close();
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  await closing;
});

test("lists for how long each account's running and waiting work has been running or waiting", async () => {
  let nowMs = 1_000;
  const { queue, take, end } = controlledQueue(1, 10, () => nowMs);
  void take('a', 'a0');
  nowMs += 500;
  void take('b', 'b0');
  void take('a', 'a1');
  await settle();
  nowMs += 250;
  expect(queue.accounts()).toEqual([
    { accountId: 'a', runningMs: [750], waitingMs: [250] },
    { accountId: 'b', runningMs: [], waitingMs: [250] },
  ]);
  await end('a0');
  nowMs += 10;
  expect(queue.accounts()).toEqual([
    { accountId: 'a', runningMs: [], waitingMs: [260] },
    { accountId: 'b', runningMs: [10], waitingMs: [] },
  ]);
  await end('b0');
  await end('a1');
  expect(queue.accounts()).toEqual([]);
});
