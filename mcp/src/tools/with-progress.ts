const REPORT_EVERY_MS = 5_000;

/** Does slow work and reports while it lasts, so that a caller who counts the time from the last word goes on waiting. */
export async function withProgress<Result>(
  report: (message: string) => void,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  report(what);
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += REPORT_EVERY_MS / 1000;
    report(`${what}: ${seconds} s so far`);
  }, REPORT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
