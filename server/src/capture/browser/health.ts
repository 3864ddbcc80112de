import type { Browser, CDPSession } from 'playwright';
import { withinTime } from './within-time.js';

export interface HealthTimes {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

export const USUAL_HEALTH_TIMES: HealthTimes = { everyMs: 5_000, timeoutMs: 10_000 };

/** One answer that does not come may be chance; with two in a row the browser is taken to be stuck. */
const FAILURES = 2;

const isAnswering = (session: CDPSession, timeoutMs: number) =>
  withinTime(session.send('Browser.getVersion'), timeoutMs, 'The question for its version').then(
    () => true,
    () => false,
  );

/**
 * Asks the browser itself from time to time, and says once when it answers no more; the answer ends the asking.
 * Throws an EndpointProblem where it does not answer from the start.
 */
export async function watchHealth(
  browser: Browser,
  { everyMs, timeoutMs }: HealthTimes,
  onSick: () => void,
): Promise<() => void> {
  const session = await withinTime(browser.newBrowserCDPSession(), timeoutMs, 'The session for its health');
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
