import { repeat, repeatAll, type RepeatingJob, type StartTimer } from './repeat.js';

/** Returns `startTimer`, and `pass`, which makes the interval of a timer pass. */
function manualTimer() {
  const ticks = new Map<number, () => void>();
  const startTimer: StartTimer = (onTick, everyMs) => {
    ticks.set(everyMs, onTick);
    return () => ticks.delete(everyMs);
  };
  return { startTimer, pass: (everyMs: number) => ticks.get(everyMs)?.(), running: ticks };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Returns a job, and a function for each of its runs that ends the run. */
function heldJob() {
  const ends: (() => void)[] = [];
  const job: RepeatingJob = {
    everyMs: 10,
    run: () => new Promise<void>((resolve) => ends.push(resolve)),
  };
  return { job, ends };
}

const onError = (error: unknown) => {
  throw error;
};

test('runs a job at the start and at every interval', async () => {
  const { startTimer, pass } = manualTimer();
  let runs = 0;
  const run = () => {
    runs += 1;
    return Promise.resolve();
  };
  repeat({ everyMs: 10, run }, onError, startTimer);
  expect(runs).toBe(1);
  for (const expected of [2, 3]) {
    await settled();
    pass(10);
    expect(runs).toBe(expected);
  }
});

test('starts no second run while one is running', async () => {
  const { startTimer, pass } = manualTimer();
  const { job, ends } = heldJob();
  repeat(job, onError, startTimer);
  pass(10);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await settled();
  pass(10);
  expect(ends).toHaveLength(2);
});

test('stopping a job waits for its current run, and starts no other', async () => {
  const { startTimer, pass, running } = manualTimer();
  const { job, ends } = heldJob();
  const repetition = repeat(job, onError, startTimer);
  let isStopped = false;
  const stopped = repetition.stop().then(() => (isStopped = true));
  await settled();
  expect(isStopped).toBe(false);
  expect(running.size).toBe(0);
  pass(10);
  ends[0]?.();
  await stopped;
  expect(ends).toHaveLength(1);
});

test('reports a failed run with the name of its job, and runs the job again', async () => {
  const { startTimer, pass } = manualTimer();
  const errors: string[] = [];
  const failing = (words: string, everyMs: number): RepeatingJob => ({
    everyMs,
    run: () => Promise.reject(new Error(words)),
  });
  const jobs = new Map([
    ['clean', failing('locked', 10)],
    ['count', failing('full', 20)],
  ]);
  const repetition = repeatAll(
    jobs,
    (name, { everyMs }, error) => errors.push(`${name}, ${everyMs}: ${String(error)}`),
    startTimer,
  );
  await settled();
  expect(errors).toEqual(['clean, 10: Error: locked', 'count, 20: Error: full']);
  pass(20);
  await repetition.stop();
  expect(errors).toHaveLength(3);
});
