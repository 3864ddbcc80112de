import { SECOND_MS } from '../platform/time-units.js';
import { helpOf, METRICS } from './metric-table.js';

/** The upper bounds of the buckets, in seconds: short ones for lookups in memory, long ones for captures. */
const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const NAME = 'signpost_request_duration_seconds';

/** The requests of one operation that ended with one status. */
interface Outcome {
  readonly labels: string;
  /** How many requests fell into each bucket of BOUNDS_SECONDS; the last count is for those above all bounds. */
  readonly counts: number[];
  sumMs: number;
}

/**
 * A histogram of request durations by operation and status. The metrics library resolves the labels again for each
 * value, which cost a busy server four per cent of its lookups.
 */
export class RequestDurations {
  readonly #outcomes = new Map<string, Map<number, Outcome>>();

  /** Adds one request. `operation` is one of our own identifiers, so nothing in it needs escaping. */
  observe(operation: string, status: number, elapsedMs: number): void {
    const outcome = this.#outcomes.get(operation)?.get(status) ?? this.#addOutcome(operation, status);
    const seconds = elapsedMs / SECOND_MS;
    let bucket = 0;
    while (seconds > (BOUNDS_SECONDS[bucket] ?? Infinity)) bucket += 1;
    outcome.counts[bucket] = (outcome.counts[bucket] ?? 0) + 1;
    outcome.sumMs += elapsedMs;
  }

  #addOutcome(operation: string, status: number): Outcome {
    const labels = `operation="${operation}",status="${status}"`;
    const outcome = { labels, counts: Array<number>(BOUNDS_SECONDS.length + 1).fill(0), sumMs: 0 };
    const ofOperation = this.#outcomes.get(operation) ?? new Map<number, Outcome>();
    this.#outcomes.set(operation, ofOperation.set(status, outcome));
    return outcome;
  }

  /** The histogram in Prometheus's text format. */
  exposition(): string {
    const lines = [`# HELP ${NAME} ${helpOf(NAME)}`, `# TYPE ${NAME} ${METRICS[NAME].type}`];
    const outcomes = [...this.#outcomes.values()].flatMap((ofOperation) => [...ofOperation.values()]);
    for (const { labels, counts, sumMs } of outcomes) {
      let total = 0;
      for (const [bucket, count] of counts.entries()) {
        total += count;
        lines.push(`${NAME}_bucket{le="${BOUNDS_SECONDS[bucket] ?? '+Inf'}",${labels}} ${total}`);
      }
      lines.push(`${NAME}_sum{${labels}} ${sumMs / SECOND_MS}`, `${NAME}_count{${labels}} ${total}`);
    }
    return `${lines.join('\n')}\n`;
  }
}
