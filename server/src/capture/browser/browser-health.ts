import { withinTime } from '../../platform/within-time.js';
import type { Browser } from './browser.js';
import { EndpointProblem } from './browser-endpoint.js';
import { floodBrakeOf, type FloodBrake } from './flood-brake.js';
import { processorTicks, showsProcesses } from './browser-processes.js';

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

/** A browser that is stuck is noticed within five seconds, one that has reason to be busy within twenty. */
export const DEFAULT_HEALTH_TIMES: HealthTimes = { everyMs: 1_000, timeoutMs: 1_500 };

/**
 * What an answer that does not come says against a browser: it may be chance, twice in a row it is not. One that has reason
 * to be busy has five times as many chances: it cannot answer while it writes a large picture, which may take longer than five seconds.
 */
const IDLE_FAILURE = 5;
const BUSY_FAILURE = 1;
const MAX_FAILURES = 2 * IDLE_FAILURE;
const MIN_BUSY_TICKS = 5;
/** The answers that a browser writes itself. */
const FILES = new Set(['Page.captureScreenshot', 'Page.printToPDF']);
/** A timer that comes later than this shows a machine that is busy, on which a browser may take its time too. */
const MAX_LATENESS_MS = 250;

/** How soon a browser is asked again after pages were held for its answer; they go on then. */
const HOLD_MS = 100;

/** Whether there is what a browser may be busy with, all the while that it does not answer: a file, or a flood. */
const hasReason = ({ connection }: Browser, brake: FloodBrake | undefined): boolean =>
  connection.awaits(FILES) || brake?.isOn === true;

/** Whether a browser has worked since; true of one that is elsewhere, where nobody sees it. */
function watchWork({ pid }: Browser): () => boolean {
  if (pid === undefined || !showsProcesses()) return () => true;
  const before = processorTicks(pid);
  return () => processorTicks(pid) - before > MIN_BUSY_TICKS;
}

/** What one question for its version says against a browser: 0 where it answers. */
async function failureOf(
  browser: Browser,
  timeoutMs: number,
  brake: FloodBrake | undefined,
): Promise<number> {
  const { protocol, connection } = browser;
  const hasWorked = watchWork(browser);
  const heardBefore = connection.heard;
  const startedMs = performance.now();
  try {
    const answer = answerInTime(
      protocol.send('Browser.getVersion'),
      timeoutMs,
      'The question for its version',
    );
    await (brake?.during(answer) ?? answer);
    return 0;
  } catch {
    const isLate = performance.now() - startedMs > timeoutMs + MAX_LATENESS_MS;
    if (isLate || connection.heard > heardBefore) return 0;
    return hasWorked() && hasReason(browser, brake) ? BUSY_FAILURE : IDLE_FAILURE;
  }
}

/** Asks the browser itself from time to time, and says once when it answers no more; the answer ends the asking. */
export function watchHealth(
  browser: Browser,
  { everyMs, timeoutMs }: HealthTimes,
  onUnresponsive: () => void,
): () => void {
  const brake = floodBrakeOf(browser);
  let failures = 0;
  let pauseMs = everyMs;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const ask = async () => {
    if (failures === 0) brake?.release();
    const failure = await failureOf(browser, timeoutMs, brake);
    failures = failure === 0 ? 0 : failures + failure;
    if (isOver) brake?.release();
    else if (failures >= MAX_FAILURES) onUnresponsive();
    else askLater();
  };
  const askLater = () => {
    pauseMs = brake?.isOn === true ? HOLD_MS : Math.min(2 * pauseMs, everyMs);
    // Once one answer is missing, the next question says whether it was chance.
    timer = setTimeout(() => void ask(), failures === 0 ? pauseMs : 0).unref();
  };
  askLater();
  return () => {
    isOver = true;
    clearTimeout(timer);
    brake?.release();
  };
}
