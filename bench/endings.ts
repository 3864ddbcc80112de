type End = () => Promise<void>;

const open = new Set<End>();

/** Registers how to end something that was just started. The returned function ends it, once. */
export function onEnd(end: End): End {
  let ended: Promise<void> | undefined;
  const endOnce = () => (ended ??= end().finally(() => open.delete(endOnce)));
  open.add(endOnce);
  return endOnce;
}

/** Ends all that `onEnd` registered and that has not ended, last first. Prints a failure and goes on. */
export async function endAll(): Promise<void> {
  // The set is read again each time, because an interrupted measurement may still start something.
  for (let last = [...open].at(-1); last !== undefined; last = [...open].at(-1)) {
    await last().catch((error: unknown) => process.stderr.write(`Not everything ended: ${String(error)}\n`));
  }
}
