import {
  autocompletePostcodeRequest,
  ERRORS,
  hostFileName,
  isApiKeyOperationId,
  type Operation,
  operations,
} from '@signpost/contract';
import type { FastifyReply } from 'fastify';
import { abortOnDisconnect } from '../../http/connections.js';
import { listKeys } from '../../keys/find-keys.js';
import type { Key } from '../../keys/key.js';
import type { FileResult } from '../../operations/operation-handler.js';
import { ServiceError } from '../../platform/errors.js';
import { isObject } from '../answer/answer-values.js';
import { tryCall, chosenKey, formatLimitsLeft } from '../answer/attempt.js';
import type { Outcome } from '../answer/outcome.js';
import { formFields } from '../layout/form-data.js';
import { bodyOf, readState } from '../request/form-state.js';
import { requestFields } from '../request/request-fields.js';
import { LEFT_OUT } from '../request/masked-request.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage, signedInPage, redirectToNewPassword } from '../routing/page.js';
import { contentSecurityPolicy } from '../routing/security-headers.js';
import type { OperationState } from './operation-state.js';
import { OperationView } from './operation-view.js';
import { operationPath } from '../layout/operation-path.js';
import { sendWithCredential } from './pasted-credential.js';
import { withPreset } from './presets.js';

const FIRST = 'lookupPostcode';
const SUGGESTIONS = 8;
const table: ReadonlyMap<string, Operation> = new Map(Object.entries(operations));

/** The operation that the path names, and its form values. Throws a ServiceError if there is no such operation. */
function readForm({ request, formOrQuery }: PageContext): OperationState {
  const { operation: id } = formFields(request.params, ['operation']);
  const operation = table.get(id);
  if (operation === undefined)
    throw new ServiceError(
      'notFound',
      `There is no operation “${id.slice(0, 50)}”. The reference lists all.`,
    );
  const { key: keyId, [LEFT_OUT]: leftOut } = formFields(formOrQuery, ['key', LEFT_OUT]);
  const state = readState(formOrQuery, requestFields(operation));
  return { id, operation, state, keyId, leftOut: leftOut.split(',') };
}

/** A browser's built-in PDF viewer counts as an object of the frame that shows a PDF, so the policy must allow it. */
const WITH_PDF_VIEWER = `${contentSecurityPolicy()}; object-src blob:`;

const liveKeys = async ({ domain, user }: PageContext): Promise<readonly Key[]> =>
  user === undefined ? [] : listKeys(domain, user.account.id, 'live');

function show(context: PageContext, keys: readonly Key[], state: OperationState): FastifyReply {
  const { deps, user } = context;
  context.reply.header('Content-Security-Policy', WITH_PDF_VIEWER);
  const { id, operation, outcome } = state;
  return context.renderOnce(
    { title: operation.title, description: operation.description, status: outcome?.status ?? 200 },
    () => (
      <OperationView
        {...state}
        accountId={user?.account.id}
        keys={keys}
        directory={deps.directories.current()}
        publicUrl={deps.publicUrl()}
      />
    ),
    operationPath(id),
  );
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/** The header with the requests that the key has left, in words that the page's script shows beside a file. */
const LIMITS_LEFT_HEADER = 'X-Limits-Left';

const sendFile = (reply: FastifyReply, { body, mediaType, headers = {} }: FileResult, url: string) =>
  reply
    .headers(headers)
    .header('Content-Type', mediaType)
    .header(
      'Content-Disposition',
      `inline; filename="${hostFileName(url)}.${EXTENSIONS[mediaType] ?? 'bin'}"`,
    )
    .send(body);

async function sendWithKey(
  { request, reply, deps }: PageContext,
  keys: readonly Key[],
  { id, keyId }: OperationState,
  body: Record<string, unknown>,
): Promise<FileResult | Omit<Outcome, 'elapsedMs' | 'body'>> {
  if (!isApiKeyOperationId(id)) throw new ServiceError('invalidRequest', 'This operation takes no API key.');
  // If the connection of the browser ends, the call is aborted.
  const caller = { signal: abortOnDisconnect(reply), requestId: request.id };
  const attempt = await tryCall(caller, async (options) =>
    deps.calls.perform(chosenKey(keys, keyId), deps.operations[id], body, options),
  );
  const limitsLeft = attempt.admission === undefined ? undefined : formatLimitsLeft(attempt.admission);
  if (!attempt.isDone) {
    const { error } = attempt;
    request.rejection = error;
    if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', error.retryAfterSeconds);
    return { limitsLeft, status: ERRORS[error.kind].status, problem: error.message };
  }
  const { result } = attempt;
  if (!('value' in result)) {
    if (limitsLeft !== undefined) reply.header(LIMITS_LEFT_HEADER, limitsLeft);
    return result;
  }
  return { limitsLeft, status: 200, answer: isObject(result.value) ? result.value : {} };
}

/**
 * The call that a form makes: its own operation or, if `makesLink` is set and the operation returns a file, the one
 * that makes a link to the capture.
 */
function callOf(state: OperationState, makesLink: boolean) {
  const body = bodyOf(requestFields(state.operation), state.state);
  if (!makesLink || state.operation.response.kind !== 'file') return { ...state, body };
  const id = 'createCaptureLink';
  return { ...state, id, operation: operations[id], body: { operation: state.id, request: body } };
}

/** Responds with a file, a page with the result, the form filled with an example, or a redirect to /password. */
async function handleForm(context: PageContext): Promise<FastifyReply> {
  const { request, reply, deps, user } = context;
  const state = readForm(context);
  if (user?.account.mustChangePassword === true) return redirectToNewPassword(context);
  const keys = await liveKeys(context);
  const { preset, credential, link } = formFields(request.body, ['preset', 'credential', 'link']);
  if (preset !== '') {
    const filled = withPreset(state.id, state.state, preset, deps.publicUrl());
    return show(context, keys, { ...state, state: filled });
  }
  const call = callOf(state, link !== '');
  const { body } = call;
  const startedMs = deps.monotonicMs();
  const isOwn = state.operation.interface === 'A' && keys.length > 0;
  const result = isOwn
    ? await sendWithKey(context, keys, call, body)
    : await sendWithCredential(context, call.operation, credential, body);
  if ('mediaType' in result) return sendFile(reply, result, state.state['url'] ?? '');
  const outcome: Outcome = { ...result, elapsedMs: deps.monotonicMs() - startedMs, body };
  return show(context, keys, { ...state, outcome });
}

/** POST /reference/suggestions: completes a postcode while it is typed. Counts as no request of any key. */
function suggest({ request, reply, deps }: PageContext): FastifyReply {
  const { partial } = formFields(request.body, ['partial']);
  const { success, data } = autocompletePostcodeRequest.safeParse({ partial, limit: SUGGESTIONS });
  const postcodes = success ? deps.directories.current().autocomplete(data.partial, data.limit) : [];
  return reply.send({ postcodes });
}

/**
 * The path of the operation's page for an old address of its form, /playground?operation=…, with the same values. If
 * there is no such operation, lookupPostcode takes its place.
 */
function pathFromPlayground({ request }: PageContext): string {
  const { operation } = formFields(request.query, ['operation']);
  const query = new URLSearchParams(request.url.split('?', 2)[1]);
  query.delete('operation');
  return `${operationPath(table.has(operation) ? operation : FIRST)}${query.size === 0 ? '' : `?${query}`}`;
}

/** The page of each operation, the suggestions of postcodes for its form, and a redirect from the old address. */
export const operationPages = [
  publicPage('/reference/:operation', {
    get: async (context) => {
      const state = readForm(context);
      return show(context, await liveKeys(context), state);
    },
    post: handleForm,
    isOpenForm: true,
  }),
  signedInPage('/reference/suggestions', { post: suggest, leadsTo: '/reference', isTyping: true }),
  publicPage('/playground', { get: (context) => context.redirect(pathFromPlayground(context)) }),
];
