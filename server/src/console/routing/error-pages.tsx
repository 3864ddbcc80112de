import { errorJson, ERRORS } from '@signpost/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hasLongRest, toServiceError } from '../../http/errors.js';
import { ServiceError } from '../../platform/errors.js';
import { enteredFacts, showMessage } from './message-page.js';
import { PageContext, type Site } from './page-context.js';
import { openContext } from './page-router.js';
import { traceOf } from '../../http/end-of-request.js';

interface ErrorText {
  readonly status: number;
  readonly title: string;
  readonly message: string;
}

const FORM_NOT_OURS: ErrorText = {
  status: 403,
  title: 'This form was not accepted',
  message:
    'It was sent from another site, or from before you signed in or out. Nothing was saved. Open the page again, and send it again.',
};

export const NOTHING_HERE: ErrorText = {
  status: 404,
  title: 'Nothing here',
  message: 'There is no page at this address.',
};

const TITLES = new Map([
  [400, 'That was not understood'],
  [404, NOTHING_HERE.title],
  [413, 'That was too large'],
  [415, 'That was not understood'],
  [429, 'Too many tries'],
  [503, 'Busy at the moment'],
]);

/** The fields of an error of Fastify or a plugin. Any value may be thrown. */
const pluginError = z.object({ code: z.string().catch(''), statusCode: z.number().catch(500) });

function describeError(error: unknown): ErrorText {
  if (error instanceof ServiceError) {
    const { status } = ERRORS[error.kind];
    return { status, title: TITLES.get(status) ?? 'Something went wrong', message: error.message };
  }
  const foreseen = toServiceError(error);
  if (foreseen.kind === 'payloadTooLarge') return describeError(foreseen);
  const { code, statusCode: status } = pluginError.catch({ code: '', statusCode: 500 }).parse(error);
  if (code.startsWith('FST_CSRF_')) return FORM_NOT_OURS;
  return {
    status,
    title: TITLES.get(status) ?? 'Something went wrong',
    message:
      status < 500
        ? 'The browser sent something that this page does not accept. Go back and try again.'
        : 'The server could not show this page. What you saved before is kept. Try again.',
  };
}

/** Whether the client wants JSON instead of a page, judging by its Accept header. */
const isForScript = ({ headers }: FastifyRequest) => headers.accept === 'application/json';

/** A page with only a message, for strangers who sent too many requests. */
const barePage = (text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Too many tries</title><p>${text}</p></html>`;

/** The statuses that count towards a stranger's limit of rejected requests; see RejectionLimit. */
const COUNTED: ReadonlySet<number> = new Set([400, 403, 413, 415]);

const sendJson = (reply: FastifyReply, message: string): FastifyReply =>
  reply.header('Content-Type', 'application/json; charset=utf-8').send(errorJson(message));

/**
 * Returns the 429 to send to a stranger, if any: the error itself if it is one, or the one from the RejectionLimit,
 * which counts the error if its status is in COUNTED.
 */
function tooManyRejections(error: unknown, status: number, context: PageContext): ServiceError | undefined {
  if (context.user !== undefined) return undefined;
  if (error instanceof ServiceError && error.kind === 'rateLimited') return error;
  return COUNTED.has(status) ? context.deps.rejectionLimit.add(context.request.ip) : undefined;
}

function sendTooMany(
  { request, reply }: Pick<PageContext, 'request' | 'reply'>,
  rejection: ServiceError,
): FastifyReply {
  reply.code(ERRORS[rejection.kind].status).header('Retry-After', rejection.retryAfterSeconds);
  return isForScript(request)
    ? sendJson(reply, rejection.message)
    : reply.header('Content-Type', 'text/html; charset=utf-8').send(barePage(rejection.message));
}

export const renderError = (context: PageContext, { status, title, message }: ErrorText): FastifyReply =>
  showMessage(context, {
    title,
    status,
    text: message,
    entered: title === FORM_NOT_OURS.title ? enteredFacts(context.request) : [],
    links: [
      ...(title === FORM_NOT_OURS.title ? [[context.request.url, 'Open the page again'] as const] : []),
      context.user === undefined ? ['/', 'To the front page'] : ['/overview', 'To the overview'],
      ['/docs', 'Documents'],
    ],
  });

export function addErrorPages(server: FastifyInstance, site: Site): void {
  server.setErrorHandler(async (error, request, reply) => {
    // An error about an unknown path is left to the server's own error handler, so that programs get an error that they
    // can read.
    if (request.is404) throw error;
    const text = describeError(error);
    if (text.status >= 500)
      site.deps.log.error(
        { err: error, page: request.routeOptions.url, ...traceOf(request) },
        'A page failed.',
      );
    if (error instanceof ServiceError && error.retryAfterSeconds !== undefined) {
      reply.header('Retry-After', error.retryAfterSeconds);
    }
    if (hasLongRest(request)) reply.header('Connection', 'close');
    // A stranger over a limit gets only a message, which costs less than a full page.
    const isRateLimited = error instanceof ServiceError && error.kind === 'rateLimited';
    if (isRateLimited && !(await site.sessionCookie.isSignedIn(request)))
      return sendTooMany({ request, reply }, error);
    // If the session cannot be read, for example because the database failed, show the page as to a stranger.
    const context = await openContext(site, request, reply).catch(
      () => new PageContext(request, reply, undefined, site, false),
    );
    const rejection = tooManyRejections(error, text.status, context);
    if (rejection !== undefined) return sendTooMany(context, rejection);
    if (isForScript(request)) return sendJson(reply.code(text.status), text.message);
    return renderError(context, text);
  });
}
