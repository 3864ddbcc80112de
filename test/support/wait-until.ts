const GIVE_UP_MS = 20_000;
const LOOK_EVERY_MS = 20;

/** Waits for what another process does; throws where it does not come about. */
export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAtMs = Date.now() + GIVE_UP_MS;
  while (!(await isSo())) {
    if (Date.now() > giveUpAtMs) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
