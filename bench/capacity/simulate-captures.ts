import { percentile } from '../figures.js';
import { exponential, type Random } from './random.js';

/** Captures that come at random times to machines, each with a queue and places. */
export interface CaptureModel {
  readonly capturesPerSecond: number;
  readonly machines: number;
  /** Captures under way at a time on each machine. */
  readonly places: number;
  /** How long one keeps its place. */
  readonly secondsOf: (random: Random) => number;
  readonly captures: number;
  readonly random: Random;
}

export interface CaptureTimes {
  readonly meanWaitSeconds: number;
  readonly p95WaitSeconds: number;
  /** From the request to the answer. */
  readonly p50Seconds: number;
  readonly p95Seconds: number;
}

interface Machine {
  /** When each place is free again. */
  readonly freeAt: number[];
  /** When those that are waiting or under way end. */
  endsAt: number[];
}

/** As the balancer chooses: the machine with the fewest requests. */
function leastBusy(machines: readonly Machine[], now: number): Machine {
  for (const machine of machines) machine.endsAt = machine.endsAt.filter((end) => end > now);
  return machines.reduce((best, one) => (one.endsAt.length < best.endsAt.length ? one : best));
}

/** Gives the next place of a machine that is free to a capture; answers when it begins. */
function take({ freeAt, endsAt }: Machine, now: number, seconds: number): number {
  const place = freeAt.indexOf(Math.min(...freeAt));
  const begins = Math.max(now, freeAt[place] ?? now);
  freeAt[place] = begins + seconds;
  endsAt.push(begins + seconds);
  return begins;
}

/** Poisson arrivals, first come first served: with one machine the queue that is written M/G/c. */
export function simulateCaptures(model: CaptureModel): CaptureTimes {
  const { capturesPerSecond, places, secondsOf, captures, random } = model;
  const machines: Machine[] = Array.from({ length: model.machines }, () => ({
    freeAt: Array<number>(places).fill(0),
    endsAt: [],
  }));
  const waits: number[] = [];
  const times: number[] = [];
  let now = 0;
  while (waits.length < captures) {
    now += exponential(random, 1 / capturesPerSecond);
    const seconds = secondsOf(random);
    const wait = take(leastBusy(machines, now), now, seconds) - now;
    waits.push(wait);
    times.push(wait + seconds);
  }
  return {
    meanWaitSeconds: waits.reduce((sum, wait) => sum + wait, 0) / waits.length,
    p95WaitSeconds: percentile(waits, 0.95),
    p50Seconds: percentile(times, 0.5),
    p95Seconds: percentile(times, 0.95),
  };
}
