import { inPasswordTurn } from './password-turns.js';

/** Work that lasts until it is told to end. */
function openWork() {
  let end: () => void = () => undefined;
  let isStarted = false;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const done = inPasswordTurn(() => {
    isStarted = true;
    return ended;
  });
  return { done, end, isStarted: () => isStarted };
}

test('two work at once, the next begins when one ends, in the order in which they came', async () => {
  const works = Array.from({ length: 4 }, openWork);
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

test('work that fails gives its place on and its error out', async () => {
  const failures = Array.from({ length: 5 }, (_, index) =>
    inPasswordTurn(() => Promise.reject(new Error(`failure ${index}`))),
  );
  const outcomes = await Promise.allSettled(failures);
  expect(outcomes).toEqual(
    failures.map((_, index) => ({ status: 'rejected', reason: new Error(`failure ${index}`) })),
  );
  expect(await inPasswordTurn(() => Promise.resolve('done'))).toBe('done');
});

test('when a hundred wait the next is refused at once, and told when to come back', async () => {
  const works = Array.from({ length: 102 }, openWork);
  await expect(inPasswordTurn(() => Promise.resolve())).rejects.toMatchObject({
    kind: 'overloaded',
    retryAfterSeconds: 5,
  });
  for (const { end } of works) end();
  await Promise.all(works.map(({ done }) => done));
  expect(await inPasswordTurn(() => Promise.resolve('done'))).toBe('done');
});
