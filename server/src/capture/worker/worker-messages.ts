import type {
  CapturePdfRequest,
  CaptureScreenshotRequest,
  ErrorName,
  ReadPageRequest,
} from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import type { CaptureState, PageText, Pdf, Screenshot } from '../capture-service.js';
import type { CaptureSettings } from '../start-capture.js';
import type { Heartbeat } from './heartbeat.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What the thread is asked; the first is always `start`, and calls are known by their numbers. */
export type WorkerRequest =
  | { readonly kind: 'start'; readonly settings: CaptureSettings; readonly heartbeat: Heartbeat }
  | { readonly kind: 'screenshot'; readonly call: number; readonly request: CaptureScreenshotRequest }
  | { readonly kind: 'pdf'; readonly call: number; readonly request: CapturePdfRequest }
  | { readonly kind: 'content'; readonly call: number; readonly request: ReadPageRequest }
  | { readonly kind: 'abort'; readonly call: number }
  | { readonly kind: 'allowPage'; readonly url: string }
  | { readonly kind: 'close'; readonly call: number };

/** What is answered to a call; nothing to those that take no capture. */
export type CallResult = Screenshot | Pdf | PageText | undefined;

/** What the thread tells; `done` and `failed` answer a call, and number 0 is the start. */
export type WorkerEvent =
  | { readonly kind: 'done'; readonly call: number; readonly result: CallResult }
  | { readonly kind: 'failed'; readonly call: number; readonly failure: Failure }
  | { readonly kind: 'state'; readonly state: CaptureState }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly fields: object; readonly message: string };

export const START_CALL = 0;

/** A ServiceError as it passes between threads, which make plain errors of all others; or any other error. */
export type Failure =
  | {
      readonly kind: ErrorName;
      readonly message: string;
      readonly detail: string | undefined;
      readonly retryAfterSeconds: number | undefined;
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
        cause: asPlain(error.cause),
      }
    : { kind: undefined, cause: asPlain(error) };

export function errorOf(failure: Failure): unknown {
  if (failure.kind === undefined) return failure.cause;
  const { kind, message, detail, retryAfterSeconds, cause } = failure;
  return new ServiceError(kind, message, {
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** How many causes of causes are told. */
const CAUSES = 3;

/** An error that passes between threads, whatever the thrown one holds: its words, where it came from, its cause. */
function asPlain(thrown: unknown, causes = CAUSES): Error | undefined {
  if (thrown === undefined) return undefined;
  if (!(thrown instanceof Error)) return new Error('What was thrown is no error.');
  const { message, stack } = thrown;
  const cause = causes > 0 ? asPlain(thrown.cause, causes - 1) : undefined;
  const plain = cause === undefined ? new Error(message) : new Error(message, { cause });
  if (stack !== undefined) plain.stack = stack;
  return plain;
}
