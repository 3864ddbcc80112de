import type { Browser, CDPSession } from 'playwright';

export interface HealthTimes {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

export const USUAL_HEALTH_TIMES: HealthTimes = { everyMs: 5_000, timeoutMs: 10_000 };

/** One answer that does not come may be chance; with two in a row the browser is taken to be stuck. */
const FAILURES = 2;

async function isAnswering(session: CDPSession, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(
    (resolve) => (timer = setTimeout(() => resolve(false), timeoutMs).unref()),
  );
  const answer = session.send('Browser.getVersion').then(
    () => true,
    () => false,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Asks the browser itself from time to time, and says once when it answers no more; the answer ends the asking. */
export async function watchHealth(
  browser: Browser,
  { everyMs, timeoutMs }: HealthTimes,
  onSick: () => void,
): Promise<() => void> {
  const session = await browser.newBrowserCDPSession();
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const ask = async () => {
    failures = (await isAnswering(session, timeoutMs)) ? 0 : failures + 1;
    if (isOver) return;
    if (failures >= FAILURES) onSick();
    else askLater();
  };
  const askLater = () => {
    timer = setTimeout(() => void ask(), everyMs).unref();
  };
  askLater();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
