import { withinTime } from '../../platform/within-time.js';
import type { Browser } from './browser.js';
import { EndpointProblem } from './browser-endpoint.js';
import { floodBrakeOf, type FloodBrake } from './flood-brake.js';
import { processorTicks, showsProcesses } from './browser-processes.js';

/** Returns the result of work in a browser. Throws an EndpointProblem if the work takes longer than `timeoutMs`. */
export const completeInTime = <Result>(
  work: Promise<Result>,
  timeoutMs: number,
  workName: string,
): Promise<Result> =>
  withinTime(
    work,
    timeoutMs,
    () => new EndpointProblem('it does not answer', `${workName} took more than ${timeoutMs} ms`),
  );

export interface HealthTimes {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

/**
 * With these times, a stuck browser is noticed within five seconds, or within twenty if it has a reason to be busy.
 */
export const DEFAULT_HEALTH_TIMES: HealthTimes = { everyMs: 1_000, timeoutMs: 1_500 };

/**
 * The weight of a missing response, unless the browser is busy with a file or with pages that flood it. If the weights
 * in a row reach MAX_FAILURES, the browser counts as stuck: one missing response may be chance, two are not. A busy
 * browser may miss more, because it cannot respond while it writes a large picture, which may take more than five
 * seconds.
 */
const IDLE_FAILURE = 5;
const BUSY_FAILURE = 1;
const MAX_FAILURES = 2 * IDLE_FAILURE;
const MIN_BUSY_TICKS = 5;
/** The commands whose responses are files. */
const FILES = new Set(['Page.captureScreenshot', 'Page.printToPDF']);
/** If a timer is later than this, the machine is busy, so a browser may be slow too. */
const MAX_LATENESS_MS = 250;

/** How soon a browser is checked again after pages were suspended to let it respond. Those pages then continue. */
const HOLD_MS = 100;

/**
 * Whether the browser has a reason to be busy: a file to write, or pages that flood it and are therefore suspended.
 */
const hasReasonToBeBusy = ({ connection }: Browser, brake: FloodBrake | undefined): boolean =>
  connection.awaits(FILES) || brake?.isOn === true;

/**
 * Begins to watch a browser's processor time. Returns a function that says whether the browser has used more than
 * MIN_BUSY_TICKS since then. That function always returns true if the browser's process is not visible, as for remote
 * browsers.
 */
function watchWork({ pid }: Browser): () => boolean {
  if (pid === undefined || !showsProcesses()) return () => true;
  const before = processorTicks(pid);
  return () => processorTicks(pid) - before > MIN_BUSY_TICKS;
}

/**
 * Checks a browser once. Returns the weight of the failure; 0 if the browser sends anything, or if this process is too
 * busy to tell.
 */
async function failureOf(
  browser: Browser,
  timeoutMs: number,
  brake: FloodBrake | undefined,
): Promise<number> {
  const { protocol, connection } = browser;
  const hasWorked = watchWork(browser);
  const countBefore = connection.receivedCount;
  const startedMs = performance.now();
  try {
    const answer = completeInTime(
      protocol.send('Browser.getVersion'),
      timeoutMs,
      'The question for its version',
    );
    await (brake?.during(answer) ?? answer);
    return 0;
  } catch {
    const isLate = performance.now() - startedMs > timeoutMs + MAX_LATENESS_MS;
    if (isLate || connection.receivedCount > countBefore) return 0;
    return hasWorked() && hasReasonToBeBusy(browser, brake) ? BUSY_FAILURE : IDLE_FAILURE;
  }
}

/**
 * Checks a browser at intervals, and reports once if it no longer responds. Returns a function that stops the
 * checks.
 */
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
  const check = async () => {
    if (failures === 0) brake?.release();
    const failure = await failureOf(browser, timeoutMs, brake);
    failures = failure === 0 ? 0 : failures + failure;
    if (isOver) brake?.release();
    else if (failures >= MAX_FAILURES) onUnresponsive();
    else checkLater();
  };
  const checkLater = () => {
    pauseMs = brake?.isOn === true ? HOLD_MS : Math.min(2 * pauseMs, everyMs);
    // After a missing response, checks again at once, because it may be chance.
    timer = setTimeout(() => void check(), failures === 0 ? pauseMs : 0).unref();
  };
  checkLater();
  return () => {
    isOver = true;
    clearTimeout(timer);
    brake?.release();
  };
}
