import { type ErrorBody, ERRORS, hostFileName } from '@signpost/contract';
import type { FastifyReply } from 'fastify';
import { abortOnDisconnect } from '../../http/connections.js';
import type { Key } from '../../keys/key.js';
import type { FileResult } from '../../operations/operation-handler.js';
import { ServiceError } from '../../platform/errors.js';
import { formFields, type FormFields } from '../layout/form-data.js';
import type { ConsoleDeps } from '../routing/console-deps.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { AREA_FIELDS, findArea } from './area-lookup.js';
import { attempt, type Attempt, type Caller, limitsLeft } from './attempt.js';
import { CAPTURE_FIELDS, captureRequest } from './capture-fields.js';
import { findPlaces, PLACE_FIELDS } from './place-lookup.js';
import { lookupPostcode, POSTCODE_FIELDS } from './postcode-lookup.js';
import type { FormResult } from './form-result.js';
import { type PlaygroundState, showPlayground } from './show-playground.js';

/** The key that a form names; refuses what is not among the user's own. */
export function chosenKey(keys: readonly Key[], sent: string): Key {
  const key = keys.find(({ id }) => String(id) === sent);
  if (key === undefined)
    throw new ServiceError(
      'invalidRequest',
      'Choose one of your own keys that work: none that is revoked, disabled or has ended.',
    );
  return key;
}

/** In which the page's script finds what the key has left. */
const LIMITS_LEFT_HEADER = 'X-Limits-Left';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/** Whether the page's script asks, which shows an error itself. */
const isForScript = ({ request }: SignedInContext) =>
  /^application\/json\b/u.test(request.headers.accept ?? '');

const sendFile = (reply: FastifyReply, { body, mediaType, headers }: FileResult, url: string) =>
  reply
    .headers(headers)
    .header('Content-Type', mediaType)
    .header(
      'Content-Disposition',
      `inline; filename="${hostFileName(url)}.${EXTENSIONS[mediaType] ?? 'bin'}"`,
    )
    .send(body);

const sendError = (reply: FastifyReply, status: number, error: string) =>
  reply.code(status).send({ error } satisfies ErrorBody);

/** Who leaves, leaves the call. */
const callerOf = ({ request, reply }: SignedInContext): Caller => ({
  signal: abortOnDisconnect(reply),
  requestId: request.id,
});

/** Captures what the form asks for. */
function capture(
  { calls, operations }: ConsoleDeps,
  chooseKey: () => Key,
  fields: FormFields,
  caller: Caller,
): Promise<Attempt<FileResult>> {
  const { operationId, body } = captureRequest(fields);
  const bound = operations[operationId];
  if (bound.kind !== 'file') throw new Error(`${bound.operation.path} does not answer a file.`);
  return attempt(caller, async (options) => calls.perform(chooseKey(), bound, body, options));
}

/** POST /playground/capture: the file itself, or the page with the form as typed; errors as JSON for the script. */
async function answerCapture(context: SignedInContext): Promise<FastifyReply> {
  const { request, reply, deps } = context;
  const fields = formFields(request.body, CAPTURE_FIELDS);
  const keys = await deps.keys.listWorking(context.user.account.id);
  const tried = await capture(deps, () => chosenKey(keys, fields.key), fields, callerOf(context));
  const left = tried.admission === undefined ? undefined : limitsLeft(tried.admission);
  if (left !== undefined) reply.header(LIMITS_LEFT_HEADER, left);
  if (tried.isDone) return sendFile(reply, tried.result, fields.url);

  const { error } = tried;
  const { status } = ERRORS[error.kind];
  request.refusal = error;
  if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', error.retryAfterSeconds);
  if (isForScript(context)) return sendError(reply, status, error.message);
  return showPlayground(context, {
    keys,
    directory: deps.directories.current().info,
    status,
    capture: { fields, problem: error.message, limitsLeft: left },
  });
}

/** POST /playground/postcode: the page with what was found, or with the form as typed and what was wrong. */
async function answerPostcode(context: SignedInContext): Promise<FastifyReply> {
  const { request, reply, deps } = context;
  const fields = formFields(request.body, POSTCODE_FIELDS);
  const keys = await deps.keys.listWorking(context.user.account.id);
  const found = await lookupPostcode(deps, () => chosenKey(keys, fields.key), fields, callerOf(context));
  const { error, admission } = found;
  if (error !== undefined) request.refusal = error;
  if (error?.retryAfterSeconds !== undefined) reply.header('Retry-After', error.retryAfterSeconds);
  return showPlayground(context, {
    keys,
    directory: deps.directories.current().info,
    status: error === undefined ? 200 : ERRORS[error.kind].status,
    postcode: {
      fields,
      problem: error?.message,
      limitsLeft: admission === undefined ? undefined : limitsLeft(admission),
    },
    lookup: found,
  });
}

/** A POST of a lookup's form: the page with what was found, or with the form as typed and what was wrong. */
async function answerLookup<Result>(
  context: SignedInContext,
  names: readonly string[],
  find: (
    deps: ConsoleDeps,
    chooseKey: () => Key,
    fields: FormFields,
    caller: Caller,
  ) => Promise<Attempt<Result>>,
  show: (form: FormResult, result: Result | undefined) => Partial<PlaygroundState>,
): Promise<FastifyReply> {
  const { request, reply, deps } = context;
  const fields = formFields(request.body, names);
  const keys = await deps.keys.listWorking(context.user.account.id);
  const tried = await find(deps, () => chosenKey(keys, fields.key ?? ''), fields, callerOf(context));
  const { admission } = tried;
  const error = tried.isDone ? undefined : tried.error;
  if (error !== undefined) request.refusal = error;
  if (error?.retryAfterSeconds !== undefined) reply.header('Retry-After', error.retryAfterSeconds);
  const form = {
    fields,
    problem: error?.message,
    limitsLeft: admission === undefined ? undefined : limitsLeft(admission),
  };
  return showPlayground(context, {
    keys,
    directory: deps.directories.current().info,
    status: error === undefined ? 200 : ERRORS[error.kind].status,
    ...show(form, tried.isDone ? tried.result : undefined),
  });
}

/** GET /playground, and what its forms are sent to. */
export const playgroundPages = [
  signedInPage('/playground', {
    menuLabel: 'Playground',
    get: async (context) => {
      const { user, deps } = context;
      return showPlayground(context, {
        keys: await deps.keys.listWorking(user.account.id),
        directory: deps.directories.current().info,
      });
    },
  }),
  signedInPage('/playground/capture', { post: answerCapture, leadsTo: '/playground' }),
  signedInPage('/playground/postcode', { post: answerPostcode, leadsTo: '/playground' }),
  signedInPage('/playground/area', {
    post: (context) =>
      answerLookup(context, AREA_FIELDS, findArea, (area, areaFound) => ({ area, areaFound })),
    leadsTo: '/playground',
  }),
  signedInPage('/playground/places', {
    post: (context) =>
      answerLookup(context, PLACE_FIELDS, findPlaces, (places, placesFound) => ({ places, placesFound })),
    leadsTo: '/playground',
  }),
];
