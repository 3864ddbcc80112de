import type { CountBatch } from './admission-statement.js';

/** How long a successful write counts as proof that the database is writable. */
const PROVEN_FOR_MS = 5_000;
/** How long a failure is remembered, so that a flood of checks does not become a flood of writes. */
const FAILED_FOR_MS = 1_000;
/** How long a check waits for a probe before it reports a failure. */
const PROBE_TIMEOUT_MS = 1_500;

interface Failure {
  /** Why requests cannot be counted: a sentence that is safe to show to anybody. */
  readonly problem: string;
  readonly cause?: unknown;
}

const LATE: Failure = { problem: `It stored nothing within ${PROBE_TIMEOUT_MS / 1_000} seconds.` };

const lateFailure = () =>
  new Promise<Failure>((resolve) => {
    setTimeout(resolve, PROBE_TIMEOUT_MS, LATE).unref();
  });

interface CountReadinessDeps {
  /** Writes something in the way that counts are written. */
  readonly probe: () => Promise<void>;
  /** Converts the error of a probe to a sentence that is safe to show. */
  readonly problemOf: (error: unknown) => string;
  readonly monotonicMs: () => number;
  /** Called at the first failed probe of an outage. */
  readonly onFailure: (failure: Failure) => void;
}

/**
 * Knows whether requests can be counted. They can if a count or probe succeeded in the last PROVEN_FOR_MS and no count
 * has failed since. They cannot if the last probe failed less than FAILED_FOR_MS ago. Otherwise, a new probe decides.
 */
export class CountReadiness {
  #storedAtMs = -Infinity;
  /** The failure of the last probe, unless a write has succeeded since. */
  #failed: { readonly problem: string; readonly atMs: number } | undefined;
  #probing: Promise<void> | undefined;
  #checking: Promise<string | undefined> | undefined;

  readonly #deps: CountReadinessDeps;

  constructor(deps: CountReadinessDeps) {
    this.#deps = deps;
  }

  /** Wraps `countBatch` to learn whether it succeeds. */
  watch(countBatch: CountBatch): CountBatch {
    return async (...args) => {
      try {
        const rows = await countBatch(...args);
        // A batch without an admitted request may have written nothing, because SQLite skips bytes that stay the same.
        if (rows.some(({ granted }) => granted > 0)) this.#noteStored();
        return rows;
      } catch (error) {
        this.#storedAtMs = -Infinity;
        throw error;
      }
    };
  }

  /** Why requests cannot be counted now; undefined if they can. */
  async problem(): Promise<string | undefined> {
    const nowMs = this.#deps.monotonicMs();
    if (nowMs - this.#storedAtMs < PROVEN_FOR_MS) return undefined;
    if (this.#failed !== undefined && nowMs - this.#failed.atMs < FAILED_FOR_MS) return this.#failed.problem;
    this.#checking ??= this.#probeInTime().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  async #probeInTime(): Promise<string | undefined> {
    const failure = await Promise.race([this.#probe(), lateFailure()]);
    if (failure === undefined) return undefined;
    if (this.#failed === undefined) this.#deps.onFailure(failure);
    const { problem } = failure;
    this.#failed = { problem, atMs: this.#deps.monotonicMs() };
    return problem;
  }

  /**
   * Sends a probe, or waits for an earlier one that is still running. Returns the failure of that probe; undefined if
   * it succeeded.
   */
  #probe(): Promise<Failure | undefined> {
    const { probe, problemOf } = this.#deps;
    this.#probing ??= probe().finally(() => (this.#probing = undefined));
    return this.#probing.then(
      () => this.#noteStored(),
      (cause: unknown) => ({ problem: problemOf(cause), cause }),
    );
  }

  #noteStored(): undefined {
    this.#storedAtMs = this.#deps.monotonicMs();
    this.#failed = undefined;
  }
}
