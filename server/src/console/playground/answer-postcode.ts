import { ERRORS } from '@signpost/contract';
import type { FastifyReply } from 'fastify';
import type { ConsoleParts } from '../console-parts.js';
import { formFields } from '../form-fields.js';
import type { SignedInVisit } from '../pages.js';
import { abortWhenGone } from '../../http/abort-when-gone.js';
import { limitsLeft } from './limits-left.js';
import { listLiveKeys } from '../../keys/find-keys.js';
import { chosenKey } from './chosen-key.js';
import { POSTCODE_FIELDS } from './postcode-fields.js';
import { lookUpPostcode } from './postcode-look-up.js';
import { showPlayground } from './show-playground.js';

/** POST /playground/postcode: the page with what was found, or with the form as typed and what was wrong. */
export async function answerPostcode(visit: SignedInVisit, parts: ConsoleParts): Promise<FastifyReply> {
  const { request, reply } = visit;
  const fields = formFields(request.body, POSTCODE_FIELDS);
  const keys = await listLiveKeys(parts.db, visit.visitor.account.id);
  const found = await lookUpPostcode(parts, () => chosenKey(keys, fields.key), fields, abortWhenGone(reply));
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
