import type { Operation } from '@signpost/contract';
import { abortOnDisconnect } from '../../http/connections.js';
import type { FileResult } from '../../operations/operation-handler.js';
import { isObject, type JsonObject } from '../answer/answer-values.js';
import { apiKeyProblem, authorizationProblem } from '../answer/credential-problem.js';
import type { Outcome } from '../answer/outcome.js';
import type { PageContext } from '../routing/page-context.js';

/**
 * The credential that can be pasted for each kind of authentication: its header, the texts of its input, and the check
 * of its format. Operations of the kind `body` have their token among the fields of the request.
 */
export const CREDENTIALS = {
  apiKey: {
    header: 'X-Api-Key',
    label: 'API key',
    hint: 'It begins with sp_live_. It goes only to this server, and is not kept.',
    placeholder: 'sp_live_…',
    problemOf: apiKeyProblem,
  },
  accessToken: {
    header: 'Authorization',
    label: 'Authorisation value',
    hint: 'The word Bearer, a space, then the access token. It goes only to this server, and is not kept.',
    placeholder: 'Bearer eyJ…',
    problemOf: authorizationProblem,
  },
  body: undefined,
} as const;

/** Replaces each top-level value of a response that equals one of the secrets by a note. */
const withoutSecrets = (answer: JsonObject, secrets: readonly unknown[]): JsonObject =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      secrets.includes(value) ? '(as sent, not shown here)' : value,
    ]),
  );

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

type CallOutcome = Omit<Outcome, 'elapsedMs' | 'body'>;

/**
 * Sends the call to the API as a program would. If the format of the pasted credential is wrong, sends nothing and
 * returns a 400 with the problem.
 */
export async function sendWithCredential(
  { request, reply }: PageContext,
  { authentication, method, path }: Operation,
  pasted: string,
  body: Record<string, unknown>,
): Promise<FileResult | CallOutcome> {
  const credential = CREDENTIALS[authentication];
  const problem = credential?.problemOf(pasted);
  if (problem !== undefined) return { status: 400, limitsLeft: undefined, problem, isOfCredential: true };
  const response = await request.server.inject({
    method,
    url: path,
    headers: {
      host: request.headers.host ?? '',
      ...(credential === undefined ? {} : { [credential.header]: pasted.trim() }),
    },
    ...(method === 'POST' ? { payload: body } : {}),
    remoteAddress: request.ip,
    signal: abortOnDisconnect(reply),
  });
  const { statusCode: status, headers } = response;
  const mediaType = String(headers['content-type'] ?? '').split(';', 1)[0] ?? '';
  if (mediaType !== 'application/json') {
    const shownHeaders = Object.entries(headers).filter(([name]) => /^x-(?!request-id)/u.test(name));
    return {
      mediaType,
      body: response.rawPayload,
      headers: Object.fromEntries(shownHeaders.map(([name, value]) => [name, String(value)])),
    };
  }
  const retryAfter = headers['retry-after'];
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
  const answer = parseObject(response.payload);
  if (response.statusCode === 200)
    return {
      status,
      limitsLeft: undefined,
      answer: withoutSecrets(
        answer,
        Object.values(body).filter((value) => typeof value === 'string' && authentication === 'body'),
      ),
    };
  return { status, limitsLeft: undefined, problem: String(answer['error']), isOfCredential: status === 401 };
}
