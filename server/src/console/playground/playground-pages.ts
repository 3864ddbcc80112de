import { type ErrorBody, ERRORS, parseUrl } from '@signpost/contract';
import type { FastifyReply } from 'fastify';
import { abortOnDisconnect } from '../../http/connections.js';
import { listLiveKeys } from '../../keys/find-keys.js';
import type { Key } from '../../keys/key.js';
import type { FileResult } from '../../operations/operation-handler.js';
import { ServiceError } from '../../platform/errors.js';
import { formFields, type FormFields } from '../layout/form-data.js';
import type { ConsoleDeps } from '../routing/console-deps.js';
import type { PageRouter, SignedInContext } from '../routing/page-router.js';
import { attempt, type Attempt, limitsLeft } from './attempt.js';
import { CAPTURE_FIELDS, captureRequest } from './capture-fields.js';
import { lookUpPostcode, POSTCODE_FIELDS } from './postcode-lookup.js';
import { showPlayground } from './show-playground.js';

const MAX_FILE_NAME_CHARACTERS = 80;

/** A name for the file that was made of a page: its host, in characters that every system takes. */
export function fileName(url: string, extension: string): string {
  const host = parseUrl(url)?.hostname ?? '';
  const name = host
    .replaceAll(/[^\w.-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/gu, '')
    .slice(0, MAX_FILE_NAME_CHARACTERS);
  return `${name === '' ? 'page' : name}.${extension}`;
}

/** The key that a form names; refuses what is not among the visitor's own. */
export function chosenKey(keys: readonly Key[], sent: string): Key {
  const key = keys.find(({ id }) => String(id) === sent);
  if (key === undefined)
    throw new ServiceError('invalidRequest', 'Choose one of your own keys that are not revoked.');
  return key;
}

/** In which the page's script finds what the key has left. */
const LIMITS_LEFT_HEADER = 'X-Limits-Left';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/pdf': 'pdf',
};

/** Whether the page's script asks, which shows an error itself. */
const isForScript = ({ request }: SignedInContext) =>
  /^application\/json\b/u.test(request.headers.accept ?? '');

const sendFile = (reply: FastifyReply, { body, mediaType, headers }: FileResult, url: string) =>
  reply
    .headers(headers)
    .header('Content-Type', mediaType)
    .header('Content-Disposition', `inline; filename="${fileName(url, EXTENSIONS[mediaType] ?? 'bin')}"`)
    .header('Cache-Control', 'no-store')
    .send(body);

const sendError = (reply: FastifyReply, status: number, error: string) =>
  reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .send({ error } satisfies ErrorBody);

/** Captures what the form asks for. */
function capture(
  { meter, operations }: ConsoleDeps,
  chooseKey: () => Key,
  fields: FormFields,
  signal: AbortSignal,
): Promise<Attempt<FileResult>> {
  const { operationId, body } = captureRequest(fields);
  const bound = operations[operationId];
  if (bound.kind !== 'file') throw new Error(`${bound.operation.path} does not answer a file.`);
  return attempt(meter, chooseKey, signal, (call) => bound.run(body, call), bound.reserve);
}

/** POST /playground/capture: the file itself, or the page with the form as typed; errors as JSON for the script. */
async function answerCapture(visit: SignedInContext, parts: ConsoleDeps): Promise<FastifyReply> {
  const { request, reply } = visit;
  const fields = formFields(request.body, CAPTURE_FIELDS);
  const keys = await listLiveKeys(parts.db, visit.visitor.account.id);
  const tried = await capture(parts, () => chosenKey(keys, fields.key), fields, abortOnDisconnect(reply));
  const left = tried.admission === undefined ? undefined : limitsLeft(tried.admission);
  if (left !== undefined) reply.header(LIMITS_LEFT_HEADER, left);
  if (tried.isDone) return sendFile(reply, tried.result, fields.url);

  const { error } = tried;
  const { status } = ERRORS[error.kind];
  request.refusal = error;
  if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', error.retryAfterSeconds);
  if (isForScript(visit)) return sendError(reply, status, error.message);
  return showPlayground(visit, {
    keys,
    directory: parts.directories.current().info,
    status,
    capture: { fields, problem: error.message, limitsLeft: left },
  });
}

/** POST /playground/postcode: the page with what was found, or with the form as typed and what was wrong. */
async function answerPostcode(visit: SignedInContext, parts: ConsoleDeps): Promise<FastifyReply> {
  const { request, reply } = visit;
  const fields = formFields(request.body, POSTCODE_FIELDS);
  const keys = await listLiveKeys(parts.db, visit.visitor.account.id);
  const found = await lookUpPostcode(
    parts,
    () => chosenKey(keys, fields.key),
    fields,
    abortOnDisconnect(reply),
  );
  const { error, admission } = found;
  if (error !== undefined) request.refusal = error;
  if (error?.retryAfterSeconds !== undefined) reply.header('Retry-After', error.retryAfterSeconds);
  return showPlayground(visit, {
    keys,
    directory: parts.directories.current().info,
    status: error === undefined ? 200 : ERRORS[error.kind].status,
    postcode: {
      fields,
      problem: error?.message,
      limitsLeft: admission === undefined ? undefined : limitsLeft(admission),
    },
    lookUp: found,
  });
}

/** GET /playground, and what its two forms are sent to. */
export function addPlaygroundPages(pages: PageRouter): void {
  const { parts } = pages;

  pages.signedIn('GET', '/playground', async (visit) =>
    showPlayground(visit, {
      keys: await listLiveKeys(parts.db, visit.visitor.account.id),
      directory: parts.directories.current().info,
    }),
  );

  pages.signedIn('POST', '/playground/capture', (visit) => answerCapture(visit, parts));
  pages.signedIn('POST', '/playground/postcode', (visit) => answerPostcode(visit, parts));

  // Whoever comes to these by their address finds the forms.
  for (const path of ['/playground/capture', '/playground/postcode'])
    pages.signedIn('GET', path, (visit) => visit.redirect('/playground'));
}
