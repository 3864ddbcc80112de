import { errorBody } from '@signpost/contract';
import { type HttpAnswer, jsonOf } from './http-answer.js';
import { SignpostApiError } from './signpost-api-error.js';

/** The error of an answer that is no success: in the server's own words where it sent them. */
export function refusalOf(answer: HttpAnswer): SignpostApiError {
  const { status, headers } = answer;
  const retryAfter = headers['retry-after'] ?? '';
  const retryAfterSeconds = /^\d+$/u.test(retryAfter) ? Number(retryAfter) : undefined;
  return new SignpostApiError(messageOf(answer), { status, retryAfterSeconds });
}

function messageOf(answer: HttpAnswer): string {
  const body = errorBody.safeParse(jsonOf(answer));
  if (body.success) return body.data.error;
  const { location } = answer.headers;
  if (answer.status >= 300 && answer.status < 400 && location !== undefined)
    return `The server answered ${answer.status}, a redirect to ${location}. Set the base URL to the address of the Signpost server itself.`;
  return `The server answered ${answer.status} without saying why. Check that the base URL is that of a Signpost server.`;
}
