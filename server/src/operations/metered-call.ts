import { ERRORS, isApiKeyOperationId, type Operation, operations } from '@signpost/contract';
import type { Reservation } from '../capture/fair-queue.js';
import type { KeyProblem, KnownKey } from '../keys/key-finder.js';
import { ServiceError } from '../platform/errors.js';
import type { AdmissionCallback } from '../usage/meter.js';
import type { EndedRequest } from '../usage/recorded-request.js';
import { requestedPage } from '../usage/requested-page.js';
import { type Admission, rateLimitMessage, retryAfterSeconds } from '../usage/rate-limit.js';
import type { ApiKeyCaller, BoundOperation, FileResult } from './operation-handler.js';

/** Counts calls and times their responses: the meter of keys, or a counter for a process without keys. */
export interface CallCounter {
  admit(keyId: number, done: AdmissionCallback): void;
  addResponseTime(keyId: number, elapsedMs: number): void;
}

/** Records the outcomes of calls. */
interface CallRecorder {
  record(request: EndedRequest): void;
}

/** The error for a request without an API key. `where` names the headers that accept one. */
export const missingKey = (where: string) =>
  new ServiceError('unauthorized', `An API key is needed: send it in ${where}.`);

function describeProblem(problem: KeyProblem): string {
  switch (problem.why) {
    case 'revoked':
      return 'The API key is not valid: it is unknown or revoked.';
    case 'expired':
      return `The API key is not valid: it ended at ${new Date(problem.atMs).toISOString()}. Use the key that replaced it, or make another in the console.`;
    case 'disabled':
      return 'The API key is disabled. Its owner can enable it in the console.';
    case 'disabledByOperator':
      return 'The API key is disabled: the operator of this server disabled it, and only the operator can enable it. Ask the operator.';
  }
}

/** The error for a key that may not be used. Without details it says that the key is unknown or revoked. */
export const invalidKey = (problem: KeyProblem = { why: 'revoked' }) =>
  new ServiceError('unauthorized', describeProblem(problem));

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** A counted call: its operation may run, and `end` completes the metering. */
export class MeteredCall implements ApiKeyCaller {
  constructor(
    private readonly counter: CallCounter,
    readonly admission: Admission,
    readonly reservation: Reservation | undefined,
  ) {}

  /** Releases the reservation, if it is still held. */
  release(): void {
    this.reservation?.release();
  }

  /** Ends the call, after its response was sent or abandoned. */
  end(elapsedMs: number): void {
    this.release();
    this.counter.addResponseTime(this.admission.keyId, elapsedMs);
  }
}

/** An admitted call, or the reason for rejecting it. `admission` is missing if the call was not counted. */
export type Opened =
  | { readonly call: MeteredCall; readonly admission: Admission }
  | { readonly call?: undefined; readonly refusal: Error; readonly admission: Admission | undefined };

export interface MeteredCallsDeps {
  readonly counter: CallCounter;
  readonly monotonicMs: () => number;
  /** The message for a call beyond its key's limit; by default the one for programs. */
  readonly limitMessage?: (admission: Admission) => string;
  /** Finds out why a key does not work. Missing in a process without keys. */
  readonly keyProblem?: (keyId: number) => Promise<KeyProblem | undefined>;
  /**
   * Reads a key's usage without counting, for the headers of a call that was rejected before it was counted.
   */
  readonly standing?: (keyId: number) => Promise<Admission | undefined>;
  /** Missing in a process without keys, which has nothing to record. */
  readonly recorder?: CallRecorder;
}

export interface PerformOptions {
  /** Aborts the work. */
  readonly signal: AbortSignal;
  /** The identifier of the request. */
  readonly requestId?: string;
  /** Receives the key's usage, before the operation runs or the call is rejected. */
  readonly onAdmission?: (admission: Admission) => void;
}

const idOf = new Map<Operation, string>(Object.entries(operations).map(([id, entry]) => [entry, id]));

/** Recorded if the caller hung up before the response. Never sent. */
const CALLER_LEFT = 499;

/** The status and error message to record for a call, as HTTP would have reported them. */
function endOf(thrown: unknown, { signal }: PerformOptions): Pick<EndedRequest, 'status' | 'refusal'> {
  if (thrown === undefined) return { status: 200 };
  if (thrown instanceof ServiceError) return { status: ERRORS[thrown.kind].status, refusal: thrown.message };
  return { status: signal.aborted ? CALLER_LEFT : ERRORS.internal.status };
}

/**
 * The only way to call an operation of interface A, for every interface: it reserves the capture slot that
 * the operation needs, counts the call, runs the operation and adds its time. A call without a free slot is
 * not counted, and a rejected call holds no slot.
 */
export class MeteredCalls {
  constructor(private readonly deps: MeteredCallsDeps) {}

  /**
   * Admits a call, which the caller of `open` must run and end. Synchronous if nothing needs to be awaited.
   */
  open(key: KnownKey, { reserve }: Pick<BoundOperation, 'reserve'>, done: (opened: Opened) => void): void {
    if (reserve === undefined) {
      this.count(key, undefined, done);
      return;
    }
    reserve(key).then(
      (reservation) => this.count(key, reservation, done),
      (error: unknown) => this.refuseUncounted(key, asError(error), done),
    );
  }

  /**
   * Admits a call, runs its operation and ends it. Throws the ServiceError that rejected any of these steps.
   */
  perform(
    key: KnownKey,
    bound: Extract<BoundOperation, { kind: 'file' }>,
    body: unknown,
    options: PerformOptions,
  ): Promise<FileResult>;
  perform(key: KnownKey, bound: BoundOperation, body: unknown, options: PerformOptions): Promise<unknown>;
  async perform(key: KnownKey, bound: BoundOperation, body: unknown, options: PerformOptions) {
    const askedMs = this.deps.monotonicMs();
    const ended = (elapsedMs: number, isCounted: boolean, thrown?: unknown) => {
      if (this.deps.recorder === undefined) return;
      const request = {
        ...{ keyId: key.id, operation: idOf.get(bound.operation) ?? '', elapsedMs, isCounted },
        ...{ requestId: options.requestId ?? '', ...endOf(thrown, options) },
      };
      this.record(request, body);
    };
    const opened = await new Promise<Opened>((resolve) => this.open(key, bound, resolve));
    const { call, admission } = opened;
    if (admission !== undefined) options.onAdmission?.(admission);
    const startedMs = this.deps.monotonicMs();
    if (call === undefined) {
      ended(startedMs - askedMs, false, opened.refusal);
      throw opened.refusal;
    }
    let thrown: unknown;
    try {
      const { reservation } = call;
      return await bound.run(body, { admission, reservation, signal: options.signal });
    } catch (error) {
      thrown = error;
      throw error;
    } finally {
      const elapsedMs = this.deps.monotonicMs() - startedMs;
      call.end(elapsedMs);
      ended(elapsedMs, true, thrown);
    }
  }

  /**
   * Records a finished call, with the page in its body. Ignores calls that are not operations of interface A.
   */
  record(request: EndedRequest, body: unknown): void {
    const { operation } = request;
    if (!isApiKeyOperationId(operation)) return;
    const page = requestedPage(operation, body);
    this.deps.recorder?.record(page === undefined ? request : { ...request, page });
  }

  private count(key: KnownKey, reservation: Reservation | undefined, done: (opened: Opened) => void): void {
    const { counter } = this.deps;
    counter.admit(key.id, (error, admission) => {
      if (admission?.isGranted === true) {
        done({ call: new MeteredCall(counter, admission, reservation), admission });
        return;
      }
      reservation?.release();
      if (error !== null) done({ refusal: error, admission });
      else if (admission !== undefined) done({ refusal: this.limitUsedUp(admission), admission });
      else this.refuseKey(key, done);
    });
  }

  /**
   * Rejects a call without a free slot, with the key's current usage. Errors in reading that usage are
   * ignored.
   */
  private refuseUncounted({ id }: KnownKey, refusal: Error, done: (opened: Opened) => void): void {
    const { standing } = this.deps;
    const hasLimits = refusal instanceof ServiceError && refusal.kind !== 'unauthorized';
    const asked = standing === undefined || !hasLimits ? Promise.resolve(undefined) : standing(id);
    asked.then(
      (admission) => done({ refusal, admission }),
      () => done({ refusal, admission: undefined }),
    );
  }

  private refuseKey({ id }: KnownKey, done: (opened: Opened) => void): void {
    const { keyProblem = () => Promise.resolve(undefined) } = this.deps;
    const refuse = (problem?: KeyProblem) => done({ refusal: invalidKey(problem), admission: undefined });
    keyProblem(id).then(refuse, (error: unknown) => done({ refusal: asError(error), admission: undefined }));
  }

  private limitUsedUp(admission: Admission): ServiceError {
    const { limitMessage = rateLimitMessage } = this.deps;
    const details = { retryAfterSeconds: retryAfterSeconds(admission) };
    return new ServiceError('rateLimited', limitMessage(admission), details);
  }
}
