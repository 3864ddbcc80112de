import { FairSemaphore, type FullQueue } from './fair-semaphore.js';

const createSemaphore = ({ maxWaiting = 10, maxWaitingOfCaller = 5 } = {}) =>
  new FairSemaphore({
    permits: 2,
    maxWaiting,
    maxWaitingOfCaller,
    tooManyWaiting: (full: FullQueue) => new Error(`Too many wait: ${full}.`),
  });

/** Submits a task that ends when `end` is called. */
function openTask(semaphore: FairSemaphore, caller = 'ada') {
  let end: () => void = () => undefined;
  let isStarted = false;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const done = semaphore.run(caller, () => {
    isStarted = true;
    return ended;
  });
  return { done, end, isStarted: () => isStarted };
}

type Task = ReturnType<typeof openTask>;

async function endAll(tasks: readonly Task[]) {
  for (const { end } of tasks) end();
  return Promise.allSettled(tasks.map(({ done }) => done));
}

test("runs as many tasks at once as there are permits, and a caller's tasks in order", async () => {
  const semaphore = createSemaphore();
  const tasks = Array.from({ length: 4 }, () => openTask(semaphore));
  const started = () => tasks.map(({ isStarted }) => isStarted());
  await Promise.resolve();
  expect(started()).toEqual([true, true, false, false]);
  tasks[1]?.end();
  await tasks[1]?.done;
  expect(started()).toEqual([true, true, true, false]);
  await endAll(tasks);
  expect(started()).toEqual([true, true, true, true]);
});

test('when a task fails, frees its permit and passes its error to the caller', async () => {
  const semaphore = createSemaphore();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, (_, index) =>
      semaphore.run('ada', () => Promise.reject(new Error(`failure ${index}`))),
    ),
  );
  expect(outcomes).toEqual(
    outcomes.map((_, index) => ({ status: 'rejected', reason: new Error(`failure ${index}`) })),
  );
  expect(await semaphore.run('ada', () => Promise.resolve('done'))).toBe('done');
});

test('callers take turns, whoever came first and however many tasks each has', async () => {
  const semaphore = createSemaphore();
  const order: string[] = [];
  const run = (caller: string, name: string) =>
    semaphore.run(caller, () => {
      order.push(name);
      return Promise.resolve();
    });
  const held = [openTask(semaphore), openTask(semaphore)];
  const waiting = [run('ada', 'a1'), run('ada', 'a2'), run('bob', 'b1'), run('ada', 'a3'), run('eve', 'e1')];
  await endAll(held);
  await Promise.all(waiting);
  expect(order).toEqual(['a1', 'b1', 'e1', 'a2', 'a3']);
});

test('rejects a task of a caller who has as many waiting tasks as one caller may have, but accepts other callers', async () => {
  const semaphore = createSemaphore({ maxWaitingOfCaller: 1 });
  const tasks = Array.from({ length: 3 }, () => openTask(semaphore));
  await expect(semaphore.run('ada', () => Promise.resolve())).rejects.toThrow('Too many wait: caller.');
  const other = semaphore.run('bob', () => Promise.resolve('done'));
  await endAll(tasks);
  expect(await other).toBe('done');
});

test('if the queue is full, a task of a caller with at least two fewer tasks displaces the newest task of the caller with the most', async () => {
  const semaphore = createSemaphore({ maxWaiting: 4 });
  const running = [openTask(semaphore), openTask(semaphore)];
  const waiting = [
    ...[openTask(semaphore, 'eve'), openTask(semaphore, 'eve'), openTask(semaphore, 'eve')],
    openTask(semaphore, 'bob'),
  ];
  const late = openTask(semaphore, 'ada');
  await expect(waiting[2]?.done).rejects.toThrow('Too many wait: all.');
  await expect(openTask(semaphore, 'eve').done).rejects.toThrow('Too many wait: all.');
  await expect(openTask(semaphore, 'ada').done).rejects.toThrow('Too many wait: all.');
  const outcomes = await endAll([...running, ...waiting, late]);
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
    ...[true, true],
    ...[true, true, false, true],
    true,
  ]);
});

test('all permits are free again when all tasks have ended', async () => {
  const semaphore = createSemaphore();
  await endAll(Array.from({ length: 7 }, () => openTask(semaphore)));
  const tasks = [openTask(semaphore), openTask(semaphore)];
  await Promise.resolve();
  expect(tasks.map(({ isStarted }) => isStarted())).toEqual([true, true]);
  await endAll(tasks);
});

test('rejects a task that cannot run at once if nobody may wait', async () => {
  const semaphore = createSemaphore({ maxWaiting: 0 });
  const tasks = [openTask(semaphore), openTask(semaphore)];
  await expect(openTask(semaphore).done).rejects.toThrow('Too many wait: all.');
  await endAll(tasks);
});
