import { percentile } from '../figures.js';
import { exponential, type Random } from './random.js';

/** Captures that arrive at random times at machines, each with capture slots and a queue. */
export interface CaptureModel {
  readonly capturesPerSecond: number;
  readonly machines: number;
  /** Capture slots of each machine. */
  readonly slots: number;
  /** How long a capture occupies its slot. */
  readonly secondsOf: (random: Random) => number;
  readonly captures: number;
  readonly random: Random;
}

export interface CaptureTimes {
  readonly meanWaitSeconds: number;
  readonly p95WaitSeconds: number;
  /** The median time from the request to the response. */
  readonly p50Seconds: number;
  readonly p95Seconds: number;
}

interface Machine {
  /** When each slot becomes free. */
  readonly freeAt: number[];
  /** When each running or waiting capture ends, in seconds from the start of the simulation. */
  endsAt: number[];
}

/** Chooses like the balancer: the machine with the fewest requests. */
function leastBusy(machines: readonly Machine[], now: number): Machine {
  for (const machine of machines) machine.endsAt = machine.endsAt.filter((end) => end > now);
  return machines.reduce((best, one) => (one.endsAt.length < best.endsAt.length ? one : best));
}

/** Gives a capture the first slot that becomes free. Returns when the capture begins. */
function take({ freeAt, endsAt }: Machine, now: number, seconds: number): number {
  const slot = freeAt.indexOf(Math.min(...freeAt));
  const begins = Math.max(now, freeAt[slot] ?? now);
  freeAt[slot] = begins + seconds;
  endsAt.push(begins + seconds);
  return begins;
}

/** Simulates Poisson arrivals, first come first served on each machine. With one machine, this is an M/G/c queue. */
export function simulateCaptures(model: CaptureModel): CaptureTimes {
  const { capturesPerSecond, slots, secondsOf, captures, random } = model;
  const machines: Machine[] = Array.from({ length: model.machines }, () => ({
    freeAt: Array<number>(slots).fill(0),
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
