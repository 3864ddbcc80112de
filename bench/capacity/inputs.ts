/** A figure that the simulation uses, and its source. */
interface Input {
  readonly value: number;
  readonly unit: string;
  readonly source: string;
}

const measured = (value: number, unit: string, what: string): Input => ({
  value,
  unit,
  source: `measured: ${what}`,
});
const assumed = (value: number, unit: string, why: string): Input => ({
  value,
  unit,
  source: `assumed: ${why}`,
});

/**
 * The figures of the simulation. The measured ones are read or calculated from the tables in
 * docs/explanation/capacity.md.
 */
export const INPUTS = {
  lookupCpu: measured(53, 'µs', 'processor time of a server for a lookup, "Lookups of one core"'),
  batchCpu: measured(345, 'µs', 'processor time of PostgreSQL for a batch of one key, "Commits"'),
  keyCpu: measured(20, 'µs', 'the same for each further key in it, "Commits"'),
  commit: measured(600, 'µs', 'what else a batch takes, "Commits"'),
  lookupBytes: measured(870, 'bytes', 'request and answer of a lookup, without TLS, "Lookups of one core"'),
  captureMegabytes: measured(420, 'MB', 'a capture under way, the largest of "Memory"'),
  captureCpu: measured(430, 'ms', 'processor time of a capture, mean of the pages of "Memory"'),
  idleMegabytes: measured(410, 'MB', 'the largest idle figure of "Memory", and 100 for the whole directory'),
  keys: assumed(50, 'keys', 'as many are in use at a time, all alike'),
  pageSeconds: assumed(1, 's', 'the mean time in which a page of another site arrives, exponential'),
  pageBytes: assumed(
    2_500_000,
    'bytes',
    'a page with its pictures and scripts, and the file that is made of it',
  ),
  machineCores: assumed(4, 'cores', 'a machine for captures'),
  machineMegabytes: assumed(8_000, 'MB', 'a machine for captures'),
  databaseCores: assumed(8, 'cores', 'the machine of PostgreSQL'),
  networkBits: assumed(1e9, 'bit/s', 'the network of each machine, and of the balancer'),
  mostBusy: assumed(0.75, 'of each', 'the rest is for what is not in the model'),
  captureWait: assumed(1, 's', 'the wait for a slot that 95 of 100 captures stay below'),
  lookupTime: assumed(0.01, 's', 'the time that 95 of 100 lookups stay below'),
} as const satisfies Readonly<Record<string, Input>>;

const MICRO = 1e-6;

export const microseconds = (input: Input): number => input.value * MICRO;
