import { ERRORS, isApiKeyOperationId, type Operation, operations } from '@signpost/contract';
import type { Reservation } from '../capture/fair-queue.js';
import type { KeyProblem, KnownKey } from '../keys/key-finder.js';
import { permissionProblem } from '../keys/permissions.js';
import { ServiceError } from '../platform/errors.js';
import type { FinishedRequest } from '../usage/recorded-request.js';
import { requestedPage } from '../usage/requested-page.js';
import { type Admission, rateLimitMessage, retryAfterSeconds } from '../usage/rate-limit.js';
import {
  type OperationResult,
  type ApiKeyCaller,
  type BoundOperation,
  parseWrittenJson,
  type Reserve,
} from './operation-handler.js';

/** Counts calls and times their responses: the meter of all keys, or a counter for a process without keys. */
export interface CallCounter {
  /**
   * Counts one call, unless a limit is used up; then `isGranted` of the result is false. Undefined if the key may not
   * be used.
   */
  admit(keyId: number): Promise<Admission | undefined>;
  addResponseTime(keyId: number, elapsedMs: number): void;
}

/** Records the outcomes of calls. */
interface CallRecorder {
  record(request: FinishedRequest): void;
}

/** The error for a request without an API key. `where` names the headers for it. */
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

/** The error for a key that may not be used. Without a `problem` it says that the key is unknown or revoked. */
export const invalidKey = (problem: KeyProblem = { why: 'revoked' }) =>
  new ServiceError('unauthorized', describeProblem(problem));

/** A counted call: its operation may run unless the call has a `rejection`, and `end` completes the metering. */
export class MeteredCall implements ApiKeyCaller {
  readonly #counter: CallCounter;

  constructor(
    counter: CallCounter,
    readonly admission: Admission,
    readonly reservation: Reservation | undefined,
    /** Why the key may not call this operation; undefined if it may. The call counts in any case. */
    readonly rejection?: ServiceError,
  ) {
    this.#counter = counter;
  }

  /** Releases the reservation, if it is still held. */
  release(): void {
    this.reservation?.release();
  }

  /** Releases the reservation and counts the response time. Call it after the response was sent or abandoned. */
  end(elapsedMs: number): void {
    this.release();
    this.#counter.addResponseTime(this.admission.keyId, elapsedMs);
  }
}

export interface MeteredCallsDeps {
  readonly counter: CallCounter;
  readonly monotonicMs: () => number;
  /** Makes the message for a call beyond a limit; `rateLimitMessage` if it is left out. */
  readonly limitMessage?: (admission: Admission) => string;
  /** Finds out why a key does not work. Missing in a process without keys. */
  readonly keyProblem?: (keyId: number) => Promise<KeyProblem | undefined>;
  /**
   * Reads a key's usage without counting a request, for the headers of a call that was rejected before it was
   * counted.
   */
  readonly readUsage?: (keyId: number) => Promise<Admission | undefined>;
  /** Records requests. Undefined in a process without keys, which has nothing to record. */
  readonly recorder?: CallRecorder;
}

/** Called with the key's usage, if it is known, before the operation runs or the call is rejected. */
type OnAdmission = (admission: Admission) => void;

export interface PerformOptions {
  /** Aborts the work. */
  readonly signal: AbortSignal;
  /** The identifier of the request. */
  readonly requestId?: string;
  readonly onAdmission?: OnAdmission;
  /** Called after the call was counted. */
  readonly onCounted?: () => void;
}

const idOf = new Map<Operation, string>(Object.entries(operations).map(([id, entry]) => [entry, id]));

/** The status to record if the caller hung up before the response. It is never sent. */
const CALLER_LEFT = 499;

/** The status to record for a call and, if a ServiceError was thrown, its message. */
function outcomeToRecord(
  thrown: unknown,
  { signal }: PerformOptions,
): Pick<FinishedRequest, 'status' | 'rejection'> {
  if (thrown === undefined) return { status: 200 };
  if (thrown instanceof ServiceError)
    return { status: ERRORS[thrown.kind].status, rejection: thrown.message };
  return { status: signal.aborted ? CALLER_LEFT : ERRORS.internal.status };
}

/**
 * Meters calls of the operations of interface A. Reserves a capture slot if the operation needs one, counts the call,
 * runs the operation and records its time. A call that finds no free slot is not counted.
 */
export class MeteredCalls {
  readonly #deps: MeteredCallsDeps;

  constructor(deps: MeteredCallsDeps) {
    this.#deps = deps;
  }

  /**
   * Reserves a slot if the operation needs one, and counts the call. The caller must then run the operation, unless the
   * call has a `rejection`, and end the call. Throws an error if no slot is free, a limit is used up or the key does
   * not work.
   */
  async open(
    key: KnownKey,
    { reserve, operation }: Pick<BoundOperation, 'reserve' | 'operation'>,
    onAdmission?: OnAdmission,
  ): Promise<MeteredCall> {
    const { counter } = this.#deps;
    const rejection = permissionProblem(key.permissions, operation.tag);
    const needsSlot = reserve !== undefined && rejection === undefined;
    const reservation = !needsSlot ? undefined : await this.#reserve(key, reserve, onAdmission);
    try {
      const admission = await counter.admit(key.id);
      if (admission === undefined) throw invalidKey(await this.#deps.keyProblem?.(key.id));
      onAdmission?.(admission);
      if (!admission.isGranted) throw this.#limitUsedUp(admission);
      return new MeteredCall(counter, admission, reservation, rejection);
    } catch (error) {
      reservation?.release();
      throw error;
    }
  }

  /**
   * Admits a call, runs its operation, ends the call and records the outcome. Throws the error of the step that
   * rejected the call or failed.
   */
  async perform(
    key: KnownKey,
    bound: BoundOperation,
    body: unknown,
    options: PerformOptions,
  ): Promise<OperationResult> {
    const { signal, requestId = '', onAdmission, onCounted } = options;
    let call: MeteredCall | undefined;
    let startedMs = this.#deps.monotonicMs();
    let thrown: unknown;
    try {
      call = await this.open(key, bound, onAdmission);
      onCounted?.();
      startedMs = this.#deps.monotonicMs();
      const { admission, reservation, rejection } = call;
      if (rejection !== undefined) throw rejection;
      return parseWrittenJson(await bound.run(body, { admission, reservation, signal }));
    } catch (error) {
      thrown = error;
      throw error;
    } finally {
      const elapsedMs = this.#deps.monotonicMs() - startedMs;
      call?.end(elapsedMs);
      const outcome = { elapsedMs, isCounted: call !== undefined, ...outcomeToRecord(thrown, options) };
      this.record({ keyId: key.id, operation: idOf.get(bound.operation) ?? '', requestId, ...outcome }, body);
    }
  }

  /**
   * Records a finished call, with the page that its body names, if any. Ignores calls that are not operations of
   * interface A.
   */
  record(request: FinishedRequest, body: unknown): void {
    const { operation } = request;
    if (!isApiKeyOperationId(operation)) return;
    const page = requestedPage(operation, body);
    this.#deps.recorder?.record(page === undefined ? request : { ...request, page });
  }

  /**
   * Reserves a slot. If that fails, passes the key's usage, in which this call does not count, to `onAdmission`, unless
   * the key does not work, and throws the error.
   */
  async #reserve(key: KnownKey, reserve: Reserve, onAdmission: OnAdmission | undefined) {
    try {
      return await reserve(key);
    } catch (error) {
      const hasLimits = error instanceof ServiceError && error.kind !== 'unauthorized';
      // If the usage cannot be read, the caller still learns why the call was rejected.
      const usage = hasLimits ? await this.#deps.readUsage?.(key.id).catch(() => undefined) : undefined;
      if (usage !== undefined) onAdmission?.(usage);
      throw error;
    }
  }

  #limitUsedUp(admission: Admission): ServiceError {
    const { limitMessage = rateLimitMessage } = this.#deps;
    const details = { retryAfterSeconds: retryAfterSeconds(admission) };
    return new ServiceError('rateLimited', limitMessage(admission), details);
  }
}
