import { ERRORS, type ErrorBody } from '@signpost/contract';
import type { FastifyReply } from 'fastify';
import type { Key } from '../../keys/key.js';
import type { FileResult } from '../../operations/operation-handler.js';
import type { ConsoleParts } from '../console-parts.js';
import { formFields, type FormFields } from '../form-fields.js';
import type { SignedInVisit } from '../pages.js';
import { abortWhenGone } from '../../http/abort-when-gone.js';
import { attempt, type Attempt } from './attempt.js';
import { CAPTURE_FIELDS, captureRequest } from './capture-fields.js';
import { fileName } from './file-name.js';
import { limitsLeft } from './limits-left.js';
import { listLiveKeys } from '../../keys/find-keys.js';
import { chosenKey } from './chosen-key.js';
import { showPlayground } from './show-playground.js';

/** In which the page's script finds what the key has left. */
const LIMITS_LEFT_HEADER = 'X-Limits-Left';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/pdf': 'pdf',
};

/** Whether the page's script asks, which shows an error itself. */
const isForScript = ({ request }: SignedInVisit) =>
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
  { meter, operations }: ConsoleParts,
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
export async function answerCapture(visit: SignedInVisit, parts: ConsoleParts): Promise<FastifyReply> {
  const { request, reply } = visit;
  const fields = formFields(request.body, CAPTURE_FIELDS);
  const keys = await listLiveKeys(parts.db, visit.visitor.account.id);
  const tried = await capture(parts, () => chosenKey(keys, fields.key), fields, abortWhenGone(reply));
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
