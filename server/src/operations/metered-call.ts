import type { Reservation } from '../capture/fair-queue.js';
import type { KnownKey } from '../keys/key-finder.js';
import { ServiceError } from '../platform/errors.js';
import type { AdmissionCallback } from '../usage/meter.js';
import { type Admission, rateLimitMessage, retryAfterSeconds } from '../usage/rate-limit.js';
import type { ApiKeyCaller, BoundOperation, FileResult } from './operation-handler.js';

/** Counts calls and times their answers: the meter of keys, or a process that has none. */
export interface CallCounter {
  admit(keyId: number, done: AdmissionCallback): void;
  addResponseTime(keyId: number, elapsedMs: number): void;
}

/** What is said where a request comes without a key; `where` names the headers that take one. */
export const missingKey = (where: string) =>
  new ServiceError('unauthorized', `An API key is needed: send it in ${where}.`);

/** What is said of a key that is unknown, revoked, or of a disabled account. */
export const invalidKey = () =>
  new ServiceError('unauthorized', 'The API key is not valid: it is unknown or revoked.');

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** A call that was counted: its operation may run, and its end closes the metering. */
export class MeteredCall implements ApiKeyCaller {
  constructor(
    private readonly counter: CallCounter,
    readonly admission: Admission,
    readonly reservation: Reservation | undefined,
  ) {}

  /** Gives back what is still held for it. */
  release(): void {
    this.reservation?.release();
  }

  /** Closes the call: its answer was given, or given up. */
  end(elapsedMs: number): void {
    this.release();
    this.counter.addResponseTime(this.admission.keyId, elapsedMs);
  }
}

/** A call that may go on, or why it may not; without an admission it was not even counted. */
export type Opened =
  | { readonly call: MeteredCall; readonly admission: Admission }
  | { readonly call?: undefined; readonly refusal: Error; readonly admission: Admission | undefined };

export interface MeteredCallsDeps {
  readonly counter: CallCounter;
  readonly monotonicMs: () => number;
  /** The words by which a call past its key's limit is refused; those for programs where none are given. */
  readonly limitMessage?: (admission: Admission) => string;
}

export interface PerformOptions {
  /** Ends the work. */
  readonly signal: AbortSignal;
  /** Hears how the key stands, before the work or the refusal. */
  readonly onAdmission?: (admission: Admission) => void;
}

/**
 * The one way of a call of interface A, whatever it comes by: what its operation needs of the account's share is held,
 * the call is counted, its operation runs, its time is added. What has no room is not counted, and what is refused holds
 * nothing.
 */
export class MeteredCalls {
  constructor(private readonly deps: MeteredCallsDeps) {}

  /** Admits a call, which whoever opened it runs and ends. At once where nothing has to be waited for. */
  open(key: KnownKey, { reserve }: Pick<BoundOperation, 'reserve'>, done: (opened: Opened) => void): void {
    if (reserve === undefined) {
      this.count(key, undefined, done);
      return;
    }
    reserve(key).then(
      (reservation) => this.count(key, reservation, done),
      (error: unknown) => done({ refusal: asError(error), admission: undefined }),
    );
  }

  /** Admits a call, runs its operation and ends it; throws the ServiceError by which any of that was refused. */
  perform(
    key: KnownKey,
    bound: Extract<BoundOperation, { kind: 'file' }>,
    body: unknown,
    options: PerformOptions,
  ): Promise<FileResult>;
  perform(key: KnownKey, bound: BoundOperation, body: unknown, options: PerformOptions): Promise<unknown>;
  async perform(key: KnownKey, bound: BoundOperation, body: unknown, options: PerformOptions) {
    const opened = await new Promise<Opened>((resolve) => this.open(key, bound, resolve));
    const { call, admission } = opened;
    if (admission !== undefined) options.onAdmission?.(admission);
    if (call === undefined) throw opened.refusal;
    const startedMs = this.deps.monotonicMs();
    try {
      const { reservation } = call;
      return await bound.run(body, { admission, reservation, signal: options.signal });
    } finally {
      call.end(this.deps.monotonicMs() - startedMs);
    }
  }

  private count(key: KnownKey, reservation: Reservation | undefined, done: (opened: Opened) => void): void {
    const { counter } = this.deps;
    counter.admit(key.id, (error, admission) => {
      if (admission?.isGranted === true) {
        done({ call: new MeteredCall(counter, admission, reservation), admission });
        return;
      }
      reservation?.release();
      const refusal = error ?? (admission === undefined ? invalidKey() : this.limitUsedUp(admission));
      done({ refusal, admission });
    });
  }

  private limitUsedUp(admission: Admission): ServiceError {
    const { limitMessage = rateLimitMessage } = this.deps;
    const details = { retryAfterSeconds: retryAfterSeconds(admission) };
    return new ServiceError('rateLimited', limitMessage(admission), details);
  }
}
