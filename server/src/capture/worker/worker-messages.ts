import type {
  CapturePdfRequest,
  CaptureScreenshotRequest,
  ErrorName,
  ReadPageRequest,
} from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import type { CaptureState, PageText, Pdf, Screenshot } from '../capture-service.js';
import type { QuotaUser } from '../fair-queue.js';
import type { CaptureSettings } from '../start-capture.js';
import type { Heartbeat } from './heartbeat.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A call with its number, on behalf of an account. */
interface AccountCall {
  readonly call: number;
  readonly user: QuotaUser;
}

/** The requests to the thread. The first is always `start`. Calls are identified by their number. */
export type WorkerRequest =
  | { readonly kind: 'start'; readonly settings: CaptureSettings; readonly heartbeat: Heartbeat }
  | (AccountCall & { readonly kind: 'screenshot'; readonly request: CaptureScreenshotRequest })
  | (AccountCall & { readonly kind: 'pdf'; readonly request: CapturePdfRequest })
  | (AccountCall & { readonly kind: 'content'; readonly request: ReadPageRequest })
  | { readonly kind: 'abort'; readonly call: number }
  | { readonly kind: 'allowPage'; readonly url: string }
  | { readonly kind: 'close'; readonly call: number };

/** The result of a call; undefined for calls that are not captures. */
export type CallResult = Screenshot | Pdf | PageText | undefined;

/** The messages of the thread. `done` and `failed` end a call; number 0 is the start. */
export type WorkerEvent =
  | { readonly kind: 'done'; readonly call: number; readonly result: CallResult }
  | { readonly kind: 'failed'; readonly call: number; readonly failure: Failure }
  | { readonly kind: 'state'; readonly state: CaptureState }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly fields: object; readonly message: string };

export const START_CALL = 0;

/** An error in a form that can be sent to another thread. A ServiceError itself would arrive there as a plain error. */
export type Failure =
  | {
      readonly kind: ErrorName;
      readonly message: string;
      readonly detail: string | undefined;
      readonly retryAfterSeconds: number | undefined;
      readonly isLogged: boolean;
      readonly reason: string | undefined;
      readonly cause: unknown;
    }
  | { readonly kind: undefined; readonly cause: unknown };

export const failureOf = (error: unknown): Failure =>
  error instanceof ServiceError
    ? {
        kind: error.kind,
        message: error.message,
        detail: error.detail,
        retryAfterSeconds: error.retryAfterSeconds,
        isLogged: error.isLogged,
        reason: error.reason,
        cause: asPlain(error.cause),
      }
    : { kind: undefined, cause: asPlain(error) };

export function errorOf(failure: Failure): unknown {
  if (failure.kind === undefined) return failure.cause;
  const { kind, message, detail, retryAfterSeconds, isLogged, reason, cause } = failure;
  return new ServiceError(kind, message, {
    isLogged,
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(reason === undefined ? {} : { reason }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** How many nested causes are passed on. */
const CAUSES = 3;

/**
 * Converts a thrown error to a plain one that can be sent to another thread, with its message, its stack and at most
 * `causes` nested causes. Anything else becomes an error that says so, except undefined, which stays as it is.
 */
function asPlain(thrown: unknown, causes = CAUSES): Error | undefined {
  if (thrown === undefined) return undefined;
  if (!(thrown instanceof Error)) return new Error('The thrown value is not an error.');
  const { message, stack } = thrown;
  const cause = causes > 0 ? asPlain(thrown.cause, causes - 1) : undefined;
  const plain = cause === undefined ? new Error(message) : new Error(message, { cause });
  if (stack !== undefined) plain.stack = stack;
  return plain;
}
