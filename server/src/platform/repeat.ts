/** Work that a server does when it starts and then at every interval. */
export interface RepeatingJob {
  readonly everyMs: number;
  run(): Promise<unknown>;
}

/** Calls `onTick` at every interval, until the returned function is called. */
export type StartTimer = (onTick: () => void, everyMs: number) => () => void;

// `unref` lets the process end in spite of the timer.
const startInterval: StartTimer = (onTick, everyMs) => {
  const timer = setInterval(onTick, everyMs).unref();
  return () => clearInterval(timer);
};

export interface Repetition {
  /** Starts no further run, and resolves when the current one has ended. */
  stop(): Promise<void>;
}

/**
 * Runs a job now and at every interval. Skips a run while the previous one has not ended. A failed run calls `onError`,
 * and does not end the repetition.
 */
export function repeat(
  job: RepeatingJob,
  onError: (error: unknown) => void,
  startTimer = startInterval,
): Repetition {
  let running: Promise<void> | undefined;
  const runOnce = async () => {
    try {
      await job.run();
    } catch (error) {
      onError(error);
    } finally {
      running = undefined;
    }
  };
  const onTick = () => {
    running ??= runOnce();
  };
  onTick();
  const stopTimer = startTimer(onTick, job.everyMs);
  return {
    async stop() {
      stopTimer();
      await running;
    },
  };
}

/**
 * Repeats several jobs as `repeat` does. `onError` gets the name of the failed job, which completes "Could not …", such
 * as "remove old usage".
 */
export function repeatAll(
  jobs: ReadonlyMap<string, RepeatingJob>,
  onError: (name: string, job: RepeatingJob, error: unknown) => void,
  startTimer?: StartTimer,
): Repetition {
  const repetitions = Array.from(jobs, ([name, job]) =>
    repeat(job, (error) => onError(name, job, error), startTimer),
  );
  return {
    async stop() {
      await Promise.all(repetitions.map((repetition) => repetition.stop()));
    },
  };
}
