import {
  type ApiKeyOperationId,
  autocompletePostcodeRequest,
  ERRORS,
  hostFileName,
  isApiKeyOperationId,
  operations,
} from '@signpost/contract';
import type { FastifyReply } from 'fastify';
import { abortOnDisconnect } from '../../http/connections.js';
import { listKeys } from '../../keys/find-keys.js';
import type { Key } from '../../keys/key.js';
import type { FileResult } from '../../operations/operation-handler.js';
import { ServiceError } from '../../platform/errors.js';
import { formFields } from '../layout/form-data.js';
import { bodyOf, readState } from '../request/form-state.js';
import { requestFields } from '../request/request-fields.js';
import { LEFT_OUT } from '../request/shown-request.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { contentSecurityPolicy } from '../routing/security-headers.js';
import type { Outcome } from './answer.js';
import { isObject } from './answer-values.js';
import { attempt, limitsLeft } from './attempt.js';
import { Playground, type PlaygroundState } from './playground.js';
import { withPreset } from './presets.js';

/** The operation that is shown first, and in place of an unknown one. */
const FIRST: ApiKeyOperationId = 'lookupPostcode';
const SUGGESTIONS = 8;

/** The key that a form names; refuses what is not among the user's own. */
export function chosenKey(keys: readonly Key[], sent: string): Key {
  const key = keys.find(({ id }) => String(id) === sent);
  if (key === undefined)
    throw new ServiceError(
      'invalidRequest',
      'Choose one of your own keys that works: it must not be revoked, disabled or ended.',
    );
  return key;
}

/** The state in a form or an address. */
function readForm(sent: unknown): PlaygroundState {
  const { operation, key: keyId, [LEFT_OUT]: leftOut } = formFields(sent, ['operation', 'key', LEFT_OUT]);
  const operationId = isApiKeyOperationId(operation) ? operation : FIRST;
  const state = readState(sent, requestFields(operations[operationId]));
  return { operationId, state, keyId, leftOut: leftOut.split(',') };
}

const NoKeys = () => (
  <>
    <h1>Playground</h1>
    <section class="card">
      <h2>You need a key first</h2>
      <p>Every request here uses one of your API keys, and you have no live key.</p>
      <p>
        <a class="button" href="/welcome">
          Make a key
        </a>
      </p>
    </section>
  </>
);

/** The viewer of PDFs that a browser has built in counts as an object of the frame in which a PDF is shown. */
const WITH_PDF_VIEWER = `${contentSecurityPolicy()}; object-src blob:`;

function show(context: SignedInContext, keys: readonly Key[], state: PlaygroundState): FastifyReply {
  const { deps, user } = context;
  context.reply.header('Content-Security-Policy', WITH_PDF_VIEWER);
  const { outcome } = state;
  return context.render(
    { title: 'Playground', status: outcome?.status ?? 200 },
    keys.length === 0 ? (
      <NoKeys />
    ) : (
      <Playground
        {...state}
        accountId={user.account.id}
        keys={keys}
        directory={deps.directories.current()}
        publicUrl={deps.publicUrl()}
      />
    ),
  );
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/** In which the page's script finds what the key has left. */
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

/** POST /playground: the file itself, the page with the response or the error, or the form filled with an example. */
async function answerForm(context: SignedInContext): Promise<FastifyReply> {
  const { request, reply, deps, domain, user } = context;
  const state = readForm(request.body);
  const { operationId } = state;
  const keys = await listKeys(domain, user.account.id, 'live');
  const { preset } = formFields(request.body, ['preset']);
  if (preset !== '') {
    const filled = withPreset(operationId, state.state, preset, deps.publicUrl());
    return show(context, keys, { ...state, state: filled });
  }
  const bound = deps.operations[operationId];
  const body = bodyOf(requestFields(operations[operationId]), state.state);
  const startedMs = deps.monotonicMs();
  // Who leaves, leaves the call.
  const caller = { signal: abortOnDisconnect(reply), requestId: request.id };
  const tried = await attempt(caller, async (options) =>
    deps.calls.perform(chosenKey(keys, state.keyId), bound, body, options),
  );
  const left = tried.admission === undefined ? undefined : limitsLeft(tried.admission);
  const common = { elapsedMs: deps.monotonicMs() - startedMs, limitsLeft: left, body };
  if (!tried.isDone) {
    const { error } = tried;
    request.refusal = error;
    if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', error.retryAfterSeconds);
    const outcome: Outcome = { ...common, status: ERRORS[error.kind].status, problem: error.message };
    return show(context, keys, { ...state, outcome });
  }
  const { result } = tried;
  if (!('value' in result)) {
    if (left !== undefined) reply.header(LIMITS_LEFT_HEADER, left);
    return sendFile(reply, result, state.state['url'] ?? '');
  }
  const answer = isObject(result.value) ? result.value : {};
  return show(context, keys, { ...state, outcome: { ...common, status: 200, answer } });
}

/** POST /playground/suggestions: how a postcode may go on; no request of a key, and bounded apart from the forms. */
function suggest({ request, reply, deps }: SignedInContext): FastifyReply {
  const { partial } = formFields(request.body, ['partial']);
  const { success, data } = autocompletePostcodeRequest.safeParse({ partial, limit: SUGGESTIONS });
  const postcodes = success ? deps.directories.current().autocomplete(data.partial, data.limit) : [];
  return reply.send({ postcodes });
}

/** GET and POST /playground, and what may be typed into it. */
export const playgroundPages = [
  signedInPage('/playground', {
    menuLabel: 'Playground',
    get: async (context) => {
      const keys = await listKeys(context.domain, context.user.account.id, 'live');
      return show(context, keys, readForm(context.request.query));
    },
    post: answerForm,
  }),
  signedInPage('/playground/suggestions', { post: suggest, leadsTo: '/playground', isTyping: true }),
];
