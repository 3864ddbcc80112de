import type { Browser, CDPSession } from 'playwright';
import { EndpointProblem } from './browser-endpoint.js';

/** The result of what a browser is asked for; throws an EndpointProblem where there is none after so long. */
export async function withinTime<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  what: string,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () =>
      reject(new EndpointProblem('it does not answer', `${what} took more than ${timeoutMs} ms`));
    timer = setTimeout(fail, timeoutMs).unref();
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export interface HealthTimes {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

export const DEFAULT_HEALTH_TIMES: HealthTimes = { everyMs: 5_000, timeoutMs: 10_000 };

/** One answer that does not come may be chance; with two in a row the browser is taken to be stuck. */
const MAX_FAILURES = 2;

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
    if (failures >= MAX_FAILURES) onSick();
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
