type End = () => Promise<void>;

const open = new Set<End>();

/** Notes how to end what was just started; the function that it gives back ends it, once. */
export function onEnd(end: End): End {
  let ended: Promise<void> | undefined;
  const endOnce = () => (ended ??= end().finally(() => open.delete(endOnce)));
  open.add(endOnce);
  return endOnce;
}

/** Ends what is still running, the last started first; what fails to end keeps nothing else running. */
export async function endAll(): Promise<void> {
  // Asked for each time anew: what an interrupted measurement still starts is ended too.
  for (let last = [...open].at(-1); last !== undefined; last = [...open].at(-1)) {
    await last().catch((error: unknown) => process.stderr.write(`Not everything ended: ${String(error)}\n`));
  }
}
