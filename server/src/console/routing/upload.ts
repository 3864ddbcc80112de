import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify';
import { allowLongBody, drainBody, mayTakeLong } from '../../http/connections.js';
import { ServiceError } from '../../platform/errors.js';
import { formatMegabytes } from '../layout/formatting.js';

/** A file sent by a form, to be read as a stream. */
interface Upload {
  readonly name: string;
  readonly body: Readable;
  /** The size of the whole form, little more than the file's; undefined if the request does not state it. */
  readonly totalBytes: number | undefined;
}

const MAX_FIELDS = 10;
const MAX_FIELD_BYTES = 2_000;
const MAX_NAME_CHARACTERS = 200;

const uploads = new WeakMap<FastifyRequest, Upload>();

/**
 * The file name without the directories that a browser may send, with a space in place of control and format
 * characters, cut to MAX_NAME_CHARACTERS.
 */
const plainName = (name: string) =>
  (name.split(/[/\\]/u).at(-1) ?? '').replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, MAX_NAME_CHARACTERS);

function lengthOf({ headers }: FastifyRequest): number | undefined {
  const length = Number(headers['content-length'] ?? NaN);
  return Number.isNaN(length) ? undefined : length;
}

/** Reads the rest of a rejected file, with the connection open: browsers send all of it before they read the reason. */
const drainRest: onSendHookHandler = (request, reply, _payload, done) => {
  reply.removeHeader('Connection');
  drainBody(request.raw, mayTakeLong(request.raw.socket) ? request.routeOptions.bodyLimit : undefined);
  done();
};

/** Lets the routes of a scope accept forms with a file. */
export async function takeUploads(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart);
  scope.addHook('onSend', drainRest);
}

/** Throws a ServiceError if the Content-Length of a form is too large. */
export function rejectTooLarge(request: FastifyRequest, maxBytes: number): void {
  if ((lengthOf(request) ?? 0) <= maxBytes) return;
  throw new ServiceError(
    'payloadTooLarge',
    `The file is too large: it may have at most ${formatMegabytes(maxBytes)}. Choose a smaller one.`,
  );
}

/**
 * Reads a form up to its file, which `uploadOf` then returns. The fields before the file become the body. Throws a
 * ServiceError if the form cannot be read.
 */
export async function readFields(request: FastifyRequest): Promise<void> {
  if (!request.isMultipart()) return;
  const limits = { files: 1, fileSize: Infinity, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES };
  const fields: Record<string, string> = {};
  request.body = fields;
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') {
        uploads.set(request, {
          name: plainName(part.filename),
          body: part.file,
          totalBytes: lengthOf(request),
        });
        return;
      }
      fields[part.fieldname] = String(part.value);
    }
  } catch {
    throw new ServiceError(
      'invalidRequest',
      'The form cannot be read. Choose the file, and send the form again.',
    );
  }
}

/**
 * The file of a form. Exempts the request from the request timeout, so check the sender first. Throws a ServiceError if
 * the form has no file.
 */
export function uploadOf(request: FastifyRequest): Upload {
  const upload = uploads.get(request);
  if (upload === undefined)
    throw new ServiceError('invalidRequest', 'Choose a file, and send the form again.');
  allowLongBody(request.raw);
  return upload;
}
