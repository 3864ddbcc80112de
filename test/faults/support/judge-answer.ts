import { errorBody, ERRORS } from '@signpost/contract';
import type { MalformedRequest } from './malformed-requests.js';
import type { RawAnswer } from '../../fixtures/raw-answers.js';

/** Valid statuses of requests that are not operations: pages, the MCP endpoint, health checks and unknown paths. */
const ELSEWHERE = new Set([200, 202, 204, 303, 304, 400, 401, 403, 404, 405, 406, 410, 413, 415, 421, 429]);
/** Valid statuses of bytes that are barely HTTP. Some of them can still be understood. */
const BROKEN = new Set([200, 400, 404, 408, 413, 417, 421, 429, 431]);

const mediaTypeOf = ({ headers }: RawAnswer) => headers['content-type']?.split(';', 1)[0];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isErrorBody = (body: string) => {
  const { success, data } = errorBody.strict().safeParse(parsed(body));
  return success && data.error !== '';
};

/** Whether the body is an error of the MCP protocol. */
const isProtocolError = (body: string) =>
  /^\{"jsonrpc":"2\.0","error":\{"code":-?\d+,"message":".+"\}/u.test(body);

function isRejection(answer: RawAnswer, target: string): boolean {
  const { status, headers, body } = answer;
  switch (mediaTypeOf(answer)) {
    case 'application/json':
      return isErrorBody(body) || (target === '/mcp' && isProtocolError(body));
    // Pages for people. A 500 is also a page, so the status must be checked.
    case 'text/html':
      return (
        (body.startsWith('<!doctype html>') || headers['content-encoding'] !== undefined) && status < 500
      );
    default:
      return false;
  }
}

/** The problem with the response to a request; undefined if it is fine. */
export function judgeAnswer({ operation, method, target }: MalformedRequest, answer: RawAnswer) {
  const { status, body } = answer;
  const documented: readonly number[] =
    operation === undefined ? [...ELSEWHERE] : [200, ...operation.errors.map((name) => ERRORS[name].status)];
  const what = `${method} ${target.slice(0, 60)}: ${status} ${body.slice(0, 200)}`;
  if (status >= 500) return `a failure of the server: ${what}`;
  // A foreign host is rejected with 421, and an invalid path with 400, before the path is matched to an operation.
  if (!documented.includes(status) && status !== 400 && status !== 421)
    return `a status that is not documented: ${what}`;
  if (method === 'HEAD') return body === '' ? undefined : `a body for HEAD: ${what}`;
  if (status >= 400 && !isRejection(answer, target)) return `a rejection that says nothing: ${what}`;
  return undefined;
}

/** The problems with the responses to bytes that are barely HTTP. */
export const judgeLast = (answers: readonly RawAnswer[], sent: Buffer) =>
  answers.flatMap((answer) =>
    BROKEN.has(answer.status) && (answer.status === 200 || isRejection(answer, ''))
      ? []
      : [
          `${JSON.stringify(sent.toString('latin1').slice(0, 80))}: ${answer.status} ${answer.body.slice(0, 200)}`,
        ],
  );
