import { exponential, seededRandom } from '../../bench/capacity/random.js';
import { simulateCaptures } from '../../bench/capacity/simulate-captures.js';
import { simulateLookups } from '../../bench/capacity/simulate-lookups.js';

/** The figures of the simulation lie within this share of the formulas. */
const TOLERANCE = 0.05;

function expectNear(found: number, expected: number): void {
  expect(Math.abs(found - expected) / expected).toBeLessThan(TOLERANCE);
}

/** The share of captures that have to wait in M/M/c (Erlang C). The load is the average number of busy slots. */
function erlangC(slots: number, load: number): number {
  let term = 1;
  let sum = 1;
  for (let busy = 1; busy < slots; busy += 1) {
    term *= load / busy;
    sum += term;
  }
  const waiting = ((term * load) / slots) * (slots / (slots - load));
  return waiting / (sum + waiting);
}

describe('captures', () => {
  const simulate = (capturesPerSecond: number, slots: number, secondsOf: (random: () => number) => number) =>
    simulateCaptures({
      capturesPerSecond,
      slots,
      secondsOf,
      machines: 1,
      captures: 200_000,
      random: seededRandom(1),
    });

  test.each([
    [1, 0.7],
    [2, 1.5],
    [8, 6.5],
  ])('captures wait as long as Erlang’s formula for the M/M/c queue says (slots: %i)', (slots, load) => {
    const { meanWaitSeconds, p95WaitSeconds } = simulate(load, slots, (random) => exponential(random, 1));
    const share = erlangC(slots, load);
    expectNear(meanWaitSeconds, share / (slots - load));
    expectNear(p95WaitSeconds, Math.log(share / 0.05) / (slots - load));
  });

  test('captures that all take the same time wait half as long as in an M/M/1 queue', () => {
    expectNear(simulate(0.8, 1, () => 1).meanWaitSeconds, 0.8 / (2 * (1 - 0.8)));
  });

  test('a simulation of captures gives the same figures for the same seed', () => {
    const once = () => simulate(1.5, 2, (random) => exponential(random, 1));
    expect(once()).toEqual(once());
  });

  test('captures wait longer on two one-slot machines than on a two-slot one, and less than on a one-slot one at half the load', () => {
    const secondsOf = (random: () => number) => exponential(random, 1);
    const common = { capturesPerSecond: 1.6, slots: 1, secondsOf, captures: 200_000 };
    const two = simulateCaptures({ ...common, machines: 2, random: seededRandom(1) }).meanWaitSeconds;
    expect(two).toBeGreaterThan(simulate(1.6, 2, secondsOf).meanWaitSeconds);
    expect(two).toBeLessThan(simulate(0.8, 1, secondsOf).meanWaitSeconds);
  });
});

describe('lookups', () => {
  const model = {
    lookupsPerSecond: 800,
    servers: 1,
    cpuSeconds: 0.001,
    keys: 1,
    databaseCores: 1,
    batchCpuSeconds: 0,
    keyCpuSeconds: 0,
    commitSeconds: 0,
    lookups: 200_000,
  };

  test('lookups on a server without a database take as long as in an M/D/1 queue', () => {
    const { meanSeconds } = simulateLookups({ ...model, random: seededRandom(1) });
    expectNear(meanSeconds, 0.001 + (0.001 * 0.8) / (2 * (1 - 0.8)));
  });

  test('lookups wait for half of the running batch on average, and then for their own batch', () => {
    const times = simulateLookups({
      ...model,
      lookupsPerSecond: 20_000,
      cpuSeconds: 1e-9,
      commitSeconds: 0.01,
      random: seededRandom(1),
    });
    expectNear(times.meanSeconds, 0.015);
    expectNear(times.batchesPerSecond, 100);
  });

  test('on a database that is always busy, the batches of four servers wait for each other', () => {
    const busy = { lookupsPerSecond: 40_000, servers: 4, cpuSeconds: 1e-9, batchCpuSeconds: 0.001 };
    const { databaseBusy, batchesPerSecond, meanSeconds } = simulateLookups({
      ...model,
      ...busy,
      random: seededRandom(1),
    });
    expectNear(databaseBusy, 1);
    expectNear(batchesPerSecond, 1000);
    expectNear(meanSeconds, 0.006);
  });

  test.each([
    ['each lookup', 'of a key of its own', 1e9, 0.4],
    ['each batch', 'of the same key', 1, 0.001],
  ])('the database spends the time per key on %s, if each lookup is %s', (_what, _whose, keys, busy) => {
    const { databaseBusy } = simulateLookups({
      ...model,
      ...{ lookupsPerSecond: 40_000, cpuSeconds: 1e-9, keyCpuSeconds: 1e-5, commitSeconds: 0.01, keys },
      random: seededRandom(1),
    });
    expectNear(databaseBusy, busy);
  });
});
