import { Semaphore } from './semaphore.js';

const full = () => new Error('Too many wait.');
const createSemaphore = (maxWaiting = 10) => new Semaphore({ permits: 2, maxWaiting, tooManyWaiting: full });

/** Work that lasts until it is told to end. */
function openWork(semaphore: Semaphore) {
  let end: () => void = () => undefined;
  let isStarted = false;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const done = semaphore.run(() => {
    isStarted = true;
    return ended;
  });
  return { done, end, isStarted: () => isStarted };
}

test('as many work at once as there are permits, the next begins when one ends, in the order in which they came', async () => {
  const semaphore = createSemaphore();
  const works = Array.from({ length: 4 }, () => openWork(semaphore));
  const started = () => works.map(({ isStarted }) => isStarted());
  await Promise.resolve();
  expect(started()).toEqual([true, true, false, false]);
  works[1]?.end();
  await works[1]?.done;
  expect(started()).toEqual([true, true, true, false]);
  for (const { end } of works) end();
  await Promise.all(works.map(({ done }) => done));
  expect(started()).toEqual([true, true, true, true]);
});

test('work that fails gives its permit on and its error out', async () => {
  const semaphore = createSemaphore();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, (_, index) =>
      semaphore.run(() => Promise.reject(new Error(`failure ${index}`))),
    ),
  );
  expect(outcomes).toEqual(
    outcomes.map((_, index) => ({ status: 'rejected', reason: new Error(`failure ${index}`) })),
  );
  expect(await semaphore.run(() => Promise.resolve('done'))).toBe('done');
});

test('when as many wait as may, the next is refused at once', async () => {
  const semaphore = createSemaphore(1);
  const works = Array.from({ length: 3 }, () => openWork(semaphore));
  await expect(semaphore.run(() => Promise.resolve())).rejects.toThrow('Too many wait.');
  for (const { end } of works) end();
  await Promise.all(works.map(({ done }) => done));
  expect(await semaphore.run(() => Promise.resolve('done'))).toBe('done');
});
