import { percentile } from '../figures.js';
import { exponential, type Random } from './random.js';

/** Lookups that arrive at random times at servers, which count them in batches in one database. */
export interface LookupModel {
  readonly lookupsPerSecond: number;
  readonly servers: number;
  /** Processor time of a lookup on the server, which uses one core. */
  readonly cpuSeconds: number;
  readonly keys: number;
  readonly databaseCores: number;
  /** Processor time of the database for a batch. Each different key in the batch adds `keyCpuSeconds`. */
  readonly batchCpuSeconds: number;
  readonly keyCpuSeconds: number;
  /** The rest of a batch's time: the disk write and the network round trip. */
  readonly commitSeconds: number;
  readonly lookups: number;
  readonly random: Random;
}

export interface LookupTimes {
  /** The mean time from the request to the response, including servers and database. */
  readonly meanSeconds: number;
  readonly p95Seconds: number;
  readonly batchesPerSecond: number;
  /** Share of the time that the database's cores are busy. */
  readonly databaseBusy: number;
}

/** One server's lookups, in order of arrival. The server's core processes each of them before it can be counted. */
class Server {
  #arrivedAt: number;
  readyAt: number;
  batchEndsAt = 0;

  readonly #cpuSeconds: number;
  readonly #untilNext: () => number;

  constructor(cpuSeconds: number, untilNext: () => number) {
    this.#cpuSeconds = cpuSeconds;
    this.#untilNext = untilNext;
    this.#arrivedAt = untilNext();
    this.readyAt = this.#arrivedAt + cpuSeconds;
  }

  /**
   * When the server's next batch begins. Its batches run one at a time, and each takes all lookups that are ready when
   * it begins.
   */
  get beginsAt(): number {
    return Math.max(this.readyAt, this.batchEndsAt);
  }

  /** Removes the lookups that can be counted by now. Returns their arrival times. */
  takeReady(now: number): number[] {
    const taken: number[] = [];
    while (this.readyAt <= now) {
      taken.push(this.#arrivedAt);
      this.#arrivedAt += this.#untilNext();
      this.readyAt = Math.max(this.#arrivedAt, this.readyAt) + this.#cpuSeconds;
    }
    return taken;
  }
}

/** The expected number of different keys in this many lookups, if all keys are used equally. */
const differentKeys = (lookups: number, keys: number) => keys * (1 - (1 - 1 / keys) ** lookups);

/** Simulates Poisson arrivals, spread evenly over servers. With one server and no database, this is an M/D/1 queue. */
export function simulateLookups(model: LookupModel): LookupTimes {
  const { lookupsPerSecond, keys, batchCpuSeconds, keyCpuSeconds, commitSeconds, random } = model;
  const untilNext = () => exponential(random, model.servers / lookupsPerSecond);
  const servers = Array.from({ length: model.servers }, () => new Server(model.cpuSeconds, untilNext));
  const coresFreeAt = Array<number>(model.databaseCores).fill(0);
  const times: number[] = [];
  let batches = 0;
  let databaseSeconds = 0;
  let now = 0;
  while (times.length < model.lookups) {
    const server = servers.reduce((first, one) => (one.beginsAt < first.beginsAt ? one : first));
    now = server.beginsAt;
    const taken = server.takeReady(now);
    const seconds = batchCpuSeconds + keyCpuSeconds * differentKeys(taken.length, keys);
    const core = coresFreeAt.indexOf(Math.min(...coresFreeAt));
    const worked = Math.max(now, coresFreeAt[core] ?? now) + seconds;
    coresFreeAt[core] = worked;
    server.batchEndsAt = worked + commitSeconds;
    for (const arrivedAt of taken) times.push(server.batchEndsAt - arrivedAt);
    batches += 1;
    databaseSeconds += seconds;
  }
  return {
    meanSeconds: times.reduce((sum, time) => sum + time, 0) / times.length,
    p95Seconds: percentile(times, 0.95),
    batchesPerSecond: batches / now,
    databaseBusy: databaseSeconds / (now * model.databaseCores),
  };
}
