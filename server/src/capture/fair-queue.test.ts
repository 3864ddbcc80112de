import { FairQueue } from './fair-queue.js';
import { names, never, settle, workshop } from '../../../test/fixtures/capture/workshop.js';

const ACCOUNT_FULL = /^Your account has \d+ captures? under way and \d+ waiting/u;
const overloaded = { kind: 'overloaded', retryAfterSeconds: 5 };
const QUEUE_FULL = /^Too many captures are waiting\. .* This request was not counted\.$/u;

test('with ten hostile captures of one account, those of another begin at once, one after the other', async () => {
  const { slots, took, began, end } = takingTen();
  expect(took).toBe(5);
  await settle();
  expect(began).toEqual(['hostile0']);
  for (const name of names('other', 5)) {
    void slots.reserve('other', 'allButOne').run(never(), () => Promise.resolve(began.push(name)));
    await settle();
  }
  expect(began).toEqual(['hostile0', ...names('other', 5)]);
  // The hostile ones are all still there: one under way, four that wait.
  expect(slots).toMatchObject({ active: 1, queued: 4 });
  await end('hostile0');
  expect(began.at(-1)).toBe('hostile1');
});

/** Two places and the usual queue, before which one account has tried ten captures that do not end. */
function takingTen() {
  const shop = workshop(2, 8);
  let took = 0;
  for (const name of names('hostile', 10)) {
    try {
      void shop.take('hostile', name, 'allButOne');
      took += 1;
    } catch (error) {
      expect(error).toMatchObject({ message: expect.stringMatching(ACCOUNT_FULL) });
    }
  }
  return { ...shop, took };
}

test('accounts that wait take turns, each with its own work first come, first served', async () => {
  const { take, end, began } = workshop(1, 100);
  void take('a', 'a0');
  for (const name of ['a1', 'a2', 'a3', 'b0', 'b1', 'c0'])
    void take(name.slice(0, 1), name).catch(() => undefined);
  for (let turn = 0; turn < 7; turn += 1) await end(began.at(-1) ?? '');
  expect(began).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3']);
});

test.each([
  ['whole', [3, 0]],
  ['allButOne', [2, 1]],
  [1, [1, 2]],
  [7, [3, 0]],
] as const)('a share of %s of three places leaves as many as it should', async (share, [taken, left]) => {
  const { take, began } = workshop(3, 6);
  for (const name of names('a', 3)) void take('a', name, share);
  await settle();
  expect(began).toHaveLength(taken);
  expect(3 - began.length).toBe(left);
});

test('all but one is at least one, and follows the places as they come and go', async () => {
  let places = 1;
  const slots = new FairQueue(
    () => places,
    10,
    () => 0,
  );
  const ends: (() => void)[] = [];
  const take = () =>
    slots.reserve('a', 'allButOne').run(never(), () => new Promise<void>((resolve) => ends.push(resolve)));
  const taken = [take(), take(), take()];
  await settle();
  expect(slots).toMatchObject({ active: 1, queued: 2 });
  places = 3;
  slots.fill();
  await settle();
  expect(slots).toMatchObject({ active: 2, queued: 1 });
  for (let at = 0; at < 3; at += 1) {
    ends[at]?.();
    await settle();
  }
  await Promise.all(taken);
});

test('a full share is refused when it is asked for, in words that say what is full, and nothing is held', () => {
  const { slots, take } = workshop(2, 4);
  for (const name of names('a', 3)) void take('a', name, 1);
  expect(() => slots.reserve('a', 1)).toThrow(
    'Your account has 1 capture under way and 2 waiting, which is the most that it may have. Try again in 5 seconds, or ' +
      'when one of them is done. This request was not counted.',
  );
  expect(slots.refused).toEqual({ account: 1, queue: 0 });
  expect(() => slots.reserve('b', 1)).not.toThrow();
});

test('what is only reserved counts against the share until it is given back, twice or not', () => {
  const { slots } = workshop(2, 4);
  const held = names('a', 3).map(() => slots.reserve('a', 1));
  expect(() => slots.reserve('a', 1)).toThrow(ACCOUNT_FULL);
  held[0]?.release();
  held[0]?.release();
  const again = slots.reserve('a', 1);
  expect(() => slots.reserve('a', 1)).toThrow(ACCOUNT_FULL);
  again.release();
  expect(slots).toMatchObject({ active: 0, queued: 0 });
});

test('a reservation that was given back does no work', async () => {
  const { slots, run, began } = workshop(2, 4);
  const reservation = slots.reserve('a', 'whole');
  reservation.release();
  await expect(run(reservation, 'a0')).rejects.toMatchObject({ kind: 'invalidRequest' });
  expect(began).toEqual([]);
});

test('a full queue rejects the reservation, so that nothing that was reserved finds it full', async () => {
  const { slots, take, run, end, began } = workshop(1, 1);
  void take('a', 'a0');
  const reserved = slots.reserve('b', 'whole');
  expect(() => slots.reserve('c', 'whole')).toThrow(QUEUE_FULL);
  expect(slots.refused).toEqual({ account: 0, queue: 1 });
  void run(reserved, 'b0');
  expect(() => slots.reserve('c', 'whole')).toThrow(QUEUE_FULL);
  expect(slots).toMatchObject({ active: 1, queued: 1 });
  await settle();
  await end('a0');
  expect(began).toEqual(['a0', 'b0']);
  slots.reserve('c', 'whole').release();
  void take('c', 'c0');
  expect(slots).toMatchObject({ active: 1, queued: 1, refused: { account: 0, queue: 2 } });
});

test('a reservation keeps its room when browsers go in the meantime', async () => {
  let places = 2;
  const slots = new FairQueue(
    () => places,
    0,
    () => 0,
  );
  const reserved = ['a', 'b'].map((account) => slots.reserve(account, 'whole'));
  places = 0;
  const done = reserved.map((reservation) => reservation.run(never(), () => Promise.resolve('done')));
  expect(slots.queued).toBe(2);
  places = 1;
  slots.fill();
  expect(await Promise.all(done)).toEqual(['done', 'done']);
});

test('without any queue an account with places left is told of the server, one without of itself', () => {
  const { slots, take } = workshop(2, 0);
  void take('a', 'a0', 'allButOne');
  expect(() => slots.reserve('a', 'allButOne')).toThrow(ACCOUNT_FULL);
  void take('b', 'b0', 'allButOne');
  expect(() => slots.reserve('c', 'allButOne')).toThrow(QUEUE_FULL);
});

test('a caller who leaves the queue leaves no trace, and one who was gone before never() enters it', async () => {
  const { slots, take, end, began } = workshop(1, 4);
  const leaving = new AbortController();
  void take('a', 'a0');
  const waiting = take('b', 'b0', 'whole', leaving.signal);
  void take('b', 'b1');
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ kind: 'invalidRequest' });
  expect(slots.queued).toBe(1);
  await expect(take('b', 'b2', 'whole', leaving.signal)).rejects.toMatchObject({ kind: 'invalidRequest' });
  await end('a0');
  expect(began).toEqual(['a0', 'b1']);
});

test('work that throws frees its place', async () => {
  const { slots, take, began } = workshop(1, 4);
  const failing = slots.reserve('a', 'whole').run(never(), () => Promise.reject(new Error('a defect')));
  void take('b', 'b0');
  await expect(failing).rejects.toThrow('a defect');
  await settle();
  expect(began).toEqual(['b0']);
});

test('closing refuses what comes, and waits for what runs and what waits', async () => {
  const { slots, take, end, outcomes } = workshop(1, 4);
  void take('a', 'a0');
  void take('b', 'b0');
  const reserved = slots.reserve('c', 'whole');
  let isClosed = false;
  const closing = slots.close().then(() => (isClosed = true));
  expect(() => slots.reserve('d', 'whole')).toThrow('The server is stopping.');
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

test('closing gives an account the places that were kept for others, who cannot come any more', async () => {
  const { slots, take, end, began } = workshop(2, 8);
  for (const name of names('a', 3)) void take('a', name, 1);
  const closing = slots.close();
  await settle();
  expect(began).toEqual(['a0', 'a1']);
  for (const name of names('a', 3)) await end(name);
  await closing;
});

test('closing ends when the last that waits leaves while there is no place at all', async () => {
  const slots = new FairQueue(
    () => 0,
    1,
    () => 0,
  );
  const leaving = new AbortController();
  const waiting = slots.reserve('a', 'whole').run(leaving.signal, () => Promise.resolve());
  const closing = slots.close();
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  await closing;
});

test('says who has what, since when each waits and since when each has its place', async () => {
  let nowMs = 1_000;
  const { slots, take, end } = workshop(1, 10, () => nowMs);
  void take('a', 'a0');
  nowMs += 500;
  void take('b', 'b0');
  void take('a', 'a1');
  await settle();
  nowMs += 250;
  expect(slots.accounts()).toEqual([
    { accountId: 'a', runningMs: [750], waitingMs: [250] },
    { accountId: 'b', runningMs: [], waitingMs: [250] },
  ]);
  await end('a0');
  nowMs += 10;
  expect(slots.accounts()).toEqual([
    { accountId: 'a', runningMs: [], waitingMs: [260] },
    { accountId: 'b', runningMs: [10], waitingMs: [] },
  ]);
  await end('b0');
  await end('a1');
  expect(slots.accounts()).toEqual([]);
});
