import { type INode, NodeApiError } from 'n8n-workflow';
import type { Failure } from './failure';
import type { Service } from './service';

/** A moment as people read it, such as "2026-03-01 00:00:00 UTC". */
const utcTime = (timeMs: number) =>
  new Date(timeMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/u, ' UTC');

/** The wait that is asked for, where it is longer than the user allows. */
export interface TooLong {
  readonly nextTryMs: number;
  readonly maximumWaitMs: number;
}

const sentence = (text: string) => (/[.!?]$/u.test(text) ? text : `${text}.`);

function messageOf({ status, code, message }: Failure, tooLong: TooLong | undefined): string {
  if (status === undefined)
    return code === undefined && message !== undefined ? message : 'The Signpost server cannot be reached';
  const said = message ?? `The server answered ${status} without saying why`;
  return tooLong === undefined || status !== 429
    ? said
    : `${sentence(said)} Run this again after ${utcTime(tooLong.nextTryMs)}.`;
}

function descriptionOf(service: Service, failure: Failure, tooLong: TooLong | undefined): string | undefined {
  const { status, code, message } = failure;
  const lines = [
    status === undefined ? `${service.baseUrl}: ${code ?? message ?? 'no answer'}.` : undefined,
    tooLong === undefined || status === undefined
      ? undefined
      : `The wait would be longer than Maximum Wait allows (${tooLong.maximumWaitMs / 1000} seconds).`,
    service.advice(failure, service.baseUrl),
  ];
  const text = lines.filter((line) => line !== undefined).join(' ');
  return text === '' ? undefined : text;
}

/** The error that the user reads: the server's own words, the item, and what to do. */
export function requestError(
  node: INode,
  service: Service,
  failure: Failure,
  itemIndex: number,
  tooLong?: TooLong,
): NodeApiError {
  const message = messageOf(failure, tooLong);
  const description = descriptionOf(service, failure, tooLong);
  return new NodeApiError(
    node,
    { message, status: failure.status ?? null },
    {
      message,
      itemIndex,
      ...(description === undefined ? {} : { description }),
      ...(failure.status === undefined ? {} : { httpCode: String(failure.status) }),
    },
  );
}
