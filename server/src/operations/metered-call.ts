import { ERRORS, isApiKeyOperationId, type Operation, operations } from '@signpost/contract';
import type { Reservation } from '../capture/fair-queue.js';
import type { KeyProblem, KnownKey } from '../keys/key-finder.js';
import { ServiceError } from '../platform/errors.js';
import type { AdmissionCallback } from '../usage/meter.js';
import type { EndedRequest } from '../usage/recorded-request.js';
import { requestedPage } from '../usage/requested-page.js';
import { type Admission, rateLimitMessage, retryAfterSeconds } from '../usage/rate-limit.js';
import type { ApiKeyCaller, BoundOperation, FileResult } from './operation-handler.js';

/** Counts calls and times their answers: the meter of keys, or a process that has none. */
export interface CallCounter {
  admit(keyId: number, done: AdmissionCallback): void;
  addResponseTime(keyId: number, elapsedMs: number): void;
}

/** Records what became of calls. */
interface CallRecorder {
  record(request: EndedRequest): void;
}

/** What is said where a request comes without a key; `where` names the headers that take one. */
export const missingKey = (where: string) =>
  new ServiceError('unauthorized', `An API key is needed: send it in ${where}.`);

function describeProblem(problem: KeyProblem): string {
  switch (problem.why) {
    case 'gone':
      return 'The API key is not valid: it is unknown or revoked.';
    case 'ended':
      return `The API key is not valid: it ended at ${new Date(problem.atMs).toISOString()}. Use the key that replaced it, or make another in the console.`;
    case 'disabled':
      return 'The API key is disabled. Its owner can enable it in the console.';
    case 'disabledByOperator':
      return 'The API key is disabled: the operator of this server disabled it, and only the operator can enable it. Ask the operator.';
  }
}

/** What is said of a key that may not be used; where nothing is known of it, that it is unknown or revoked. */
export const invalidKey = (problem: KeyProblem = { why: 'gone' }) =>
  new ServiceError('unauthorized', describeProblem(problem));

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
  /** Says why the meter found a key not to work; left out by a process without keys. */
  readonly keyProblem?: (keyId: number) => Promise<KeyProblem | undefined>;
  /** Reads how a key stands without counting, for the limits of a call that was rejected before it was counted. */
  readonly standing?: (keyId: number) => Promise<Admission | undefined>;
  /** Left out by a process without keys, which has nothing to record them by. */
  readonly recorder?: CallRecorder;
}

export interface PerformOptions {
  /** Ends the work. */
  readonly signal: AbortSignal;
  /** What the request is called that the call came by. */
  readonly requestId?: string;
  /** Hears how the key stands, before the work or the refusal. */
  readonly onAdmission?: (admission: Admission) => void;
}

const idOf = new Map<Operation, string>(Object.entries(operations).map(([id, entry]) => [entry, id]));

/** Of a caller who hung up; no answer has this status. */
const CALLER_LEFT = 499;

/** How a call ended: as its answer over HTTP would. */
function endOf(thrown: unknown, { signal }: PerformOptions): Pick<EndedRequest, 'status' | 'refusal'> {
  if (thrown === undefined) return { status: 200 };
  if (thrown instanceof ServiceError) return { status: ERRORS[thrown.kind].status, refusal: thrown.message };
  return { status: signal.aborted ? CALLER_LEFT : ERRORS.internal.status };
}

/**
 * The one way of a call of interface A, whatever it comes by: what its operation needs of the account's share is held,
 * the call is counted, its operation runs, its time is added. What has no room is not counted, and what is refused holds
 * nothing.
 */
export class MeteredCalls {
  constructor(private readonly deps: MeteredCallsDeps) {}

  /** Admits a call, which its opener runs and ends. At once where nothing has to be waited for. */
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

  /** Admits a call, runs its operation and ends it; throws the ServiceError by which any of that was refused. */
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

  /** Records a call that has ended, with the page that its body asked for; of what is no operation of interface A nothing. */
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

  /** Rejects a call that found no room. Its limits are told as they stand; the rejection never fails because of that. */
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
