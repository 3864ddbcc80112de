import type { Browser, CDPSession } from 'playwright';
import { withinTime } from '../../platform/within-time.js';
import { EndpointProblem } from './browser-endpoint.js';

/** The result of what a browser is asked for; throws an EndpointProblem where there is none after so long. */
export const answerInTime = <Result>(
  work: Promise<Result>,
  timeoutMs: number,
  what: string,
): Promise<Result> =>
  withinTime(
    work,
    timeoutMs,
    () => new EndpointProblem('it does not answer', `${what} took more than ${timeoutMs} ms`),
  );

export interface HealthTimes {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

export const DEFAULT_HEALTH_TIMES: HealthTimes = { everyMs: 5_000, timeoutMs: 10_000 };

/** One answer that does not come may be chance; with two in a row the browser is taken to be stuck. */
const MAX_FAILURES = 2;

const isAnswering = (session: CDPSession, timeoutMs: number) =>
  answerInTime(session.send('Browser.getVersion'), timeoutMs, 'The question for its version').then(
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
  onUnresponsive: () => void,
): Promise<() => void> {
  const session = await answerInTime(browser.newBrowserCDPSession(), timeoutMs, 'The session for its health');
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const ask = async () => {
    failures = (await isAnswering(session, timeoutMs)) ? 0 : failures + 1;
    if (isOver) return;
    if (failures >= MAX_FAILURES) onUnresponsive();
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
