import type { CaptureCase } from './capture-cases.js';
import type { Capture } from './capture-ways.js';
import { percentile } from './figures.js';

/** One of the ways to take captures that are compared. */
export interface Way {
  readonly name: string;
  readonly capture: Capture;
  /** Processor time used so far by the Node.js process that drives the browser, in ms; NaN if it cannot be read. */
  readonly nodeMs?: () => Promise<number>;
  /** Processor time used so far by all of the way's processes, in ms; NaN if it cannot be read. */
  readonly cpuMs?: () => Promise<number>;
  /** Set to take this way only in every other turn, such as a way whose captures take long. */
  readonly isRare?: boolean;
  /** Whether this way is measured only for PDFs. */
  readonly isOfPdf?: boolean;
  /** Whether this way is measured only for captures of full pages. */
  readonly isOfFullPage?: boolean;
  /** Set to count failures. Otherwise, as for Signpost itself, a failure ends the run. */
  readonly mayFail?: boolean;
}

export interface TurnLimits {
  /** The time that all ways to take captures share. Captures still running at the end are finished. */
  readonly seconds: number;
  readonly mostTurns: number;
}

export interface CaptureFigures {
  readonly captures: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  /** Processor time of Node.js per capture, in ms; NaN if unknown. */
  readonly nodeMs: number;
  /** Processor time of all processes per capture, in ms; NaN if unknown. */
  readonly cpuMs: number;
  /** The size of the last file. */
  readonly bytes: number;
}

/** At least this many turns are taken, however long each takes, unless `mostTurns` is smaller. */
const FEWEST_TURNS = 2;

const unknownTime = () => Promise.resolve(Number.NaN);

interface Tally {
  readonly timesMs: number[];
  failed: number;
  elapsedMs: number;
  nodeMs: number;
  cpuMs: number;
  bytes: number;
}

/** Keeps `atOnce` captures running for `turnMs`. Takes at least `atOnce` captures, however long they last. */
async function takeTurn(
  { name, capture, nodeMs = unknownTime, cpuMs = unknownTime, mayFail = false }: Way,
  url: string,
  captureCase: CaptureCase,
  atOnce: number,
  turnMs: number,
  tally: Tally,
): Promise<void> {
  const [nodeBefore, cpuBefore] = [await nodeMs(), await cpuMs()];
  const began = performance.now();
  const worker = async () => {
    do {
      const start = performance.now();
      try {
        const bytes = await capture(url, captureCase);
        if (bytes === 0) throw new Error(`${name} gave an empty file: ${captureCase.name}.`);
        tally.timesMs.push(performance.now() - start);
        tally.bytes = bytes;
      } catch (error) {
        if (!mayFail) throw error;
        tally.failed += 1;
      }
    } while (performance.now() - began < turnMs);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  tally.elapsedMs += performance.now() - began;
  tally.nodeMs += (await nodeMs()) - nodeBefore;
  tally.cpuMs += (await cpuMs()) - cpuBefore;
}

const figuresOf = ({ timesMs, failed, elapsedMs, nodeMs, cpuMs, bytes }: Tally): CaptureFigures => ({
  captures: timesMs.length,
  failed,
  p50Ms: percentile(timesMs, 0.5),
  p99Ms: percentile(timesMs, 0.99),
  perSecond: (timesMs.length / elapsedMs) * 1000,
  nodeMs: nodeMs / timesMs.length,
  cpuMs: cpuMs / timesMs.length,
  bytes,
});

/**
 * Takes the same captures in each way, in turns of equal time, so that other work on the machine does not slow only
 * some of them. Returns the figures by the way's name.
 */
export async function takeCaptureTurns(
  ways: readonly Way[],
  url: string,
  captureCase: CaptureCase,
  atOnce: number,
  { seconds, mostTurns }: TurnLimits,
): Promise<ReadonlyMap<string, CaptureFigures>> {
  const newTally = (): Tally => ({ timesMs: [], failed: 0, elapsedMs: 0, nodeMs: 0, cpuMs: 0, bytes: 0 });
  // The warm-up: one capture in each way, which does not count.
  if (captureCase.isSlow !== true)
    for (const way of ways) await takeTurn(way, url, captureCase, 1, 0, newTally());
  const tallies = ways.map((way) => ({ way, tally: newTally() }));
  const turnMs = (seconds * 1000) / (ways.length * mostTurns);
  const fewestTurns = Math.min(FEWEST_TURNS, mostTurns);
  const began = performance.now();
  const isTimeOver = () => performance.now() - began >= seconds * 1000;
  for (let turn = 0; turn < mostTurns && (turn < fewestTurns || !isTimeOver()); turn += 1) {
    // Every other turn goes in reverse order, so that no way always follows the same other one.
    for (const { way, tally } of turn % 2 === 0 ? tallies : tallies.toReversed()) {
      if (turn % 2 === 0 || way.isRare !== true) await takeTurn(way, url, captureCase, atOnce, turnMs, tally);
    }
  }
  return new Map(tallies.map(({ way, tally }) => [way.name, figuresOf(tally)]));
}
