/** Returns the result of the work. Rejects with `late()` if it takes longer than `timeoutMs`, but does not stop it. */
export async function withinTime<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  late: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), timeoutMs).unref();
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Resolves when the work has succeeded or failed, or after `timeoutMs`. */
export async function settledWithin(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  const settled = work.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([settled, timeout]).finally(() => clearTimeout(timer));
}
