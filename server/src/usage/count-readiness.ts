import type { CountBatch } from './admission-statement.js';

/** For so long a count that was stored shows that the next can be. */
const PROVEN_FOR_MS = 5_000;
/** For so long a failure stands, so that a flood of questions is no flood of writes. */
const FAILED_FOR_MS = 1_000;
/** Less than balancers wait for an answer. */
const PROBE_TIMEOUT_MS = 1_500;

interface Failure {
  /** A sentence that anybody may read. */
  readonly problem: string;
  readonly cause?: unknown;
}

const LATE: Failure = { problem: `It stored nothing within ${PROBE_TIMEOUT_MS / 1_000} seconds.` };

const lateFailure = () =>
  new Promise<Failure>((resolve) => {
    setTimeout(resolve, PROBE_TIMEOUT_MS, LATE).unref();
  });

interface CountReadinessDeps {
  /** Stores something as a count would be stored. */
  readonly probe: () => Promise<void>;
  /** The words for its error. */
  readonly problemOf: (error: unknown) => string;
  readonly monotonicMs: () => number;
  /** Hears once of each time in which nothing can be stored. */
  readonly onFailure: (failure: Failure) => void;
}

/** Knows whether requests can be counted: one was within the last seconds, or a probe is stored. */
export class CountReadiness {
  private storedAtMs = -Infinity;
  /** Of the last probe, since when nothing was stored. */
  private failed: { readonly problem: string; readonly atMs: number } | undefined;
  private probing: Promise<void> | undefined;
  private asking: Promise<string | undefined> | undefined;

  constructor(private readonly deps: CountReadinessDeps) {}

  /** The same counting, from which this learns. */
  watch(countBatch: CountBatch): CountBatch {
    return async (...asked) => {
      try {
        const rows = await countBatch(...asked);
        // Where all were refused, nothing may have been written: the bytes stay the same.
        if (rows.some(({ granted }) => granted > 0)) this.stored();
        return rows;
      } catch (error) {
        this.storedAtMs = -Infinity;
        throw error;
      }
    };
  }

  /** Why requests cannot be counted now; undefined where they can. */
  async problem(): Promise<string | undefined> {
    const nowMs = this.deps.monotonicMs();
    if (nowMs - this.storedAtMs < PROVEN_FOR_MS) return undefined;
    if (this.failed !== undefined && nowMs - this.failed.atMs < FAILED_FOR_MS) return this.failed.problem;
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async ask(): Promise<string | undefined> {
    const failure = await Promise.race([this.store(), lateFailure()]);
    if (failure === undefined) return undefined;
    if (this.failed === undefined) this.deps.onFailure(failure);
    const { problem } = failure;
    this.failed = { problem, atMs: this.deps.monotonicMs() };
    return problem;
  }

  /** A probe that got no answer in time goes on, and is the only one. */
  private store(): Promise<Failure | undefined> {
    const { probe, problemOf } = this.deps;
    this.probing ??= probe().finally(() => (this.probing = undefined));
    return this.probing.then(
      () => this.stored(),
      (cause: unknown) => ({ problem: problemOf(cause), cause }),
    );
  }

  private stored(): undefined {
    this.storedAtMs = this.deps.monotonicMs();
    this.failed = undefined;
  }
}
