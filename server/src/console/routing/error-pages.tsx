import { errorJson, ERRORS } from '@signpost/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hasLongRest, toServiceError } from '../../http/errors.js';
import { ServiceError } from '../../platform/errors.js';
import type { Assets } from '../assets.js';
import { renderPage } from '../layout/page-layout.js';
import type { PageRouter } from './page-router.js';
import { contentSecurityPolicy } from './security-headers.js';

/** The page for a link that leads nowhere; the same for everybody, so that it needs no session. */
export const notFoundPage = (assets: Assets) => ({
  html: renderPage(
    { title: 'Nothing here', width: 'narrow' },
    {
      visitor: null,
      assets,
      isSignUpOpen: false,
      path: '',
      formToken: () => '',
    },
    <>
      <h1>Nothing here</h1>
      <p>
        There is no page at this address. <a href="/">The front page</a> leads to what there is.
      </p>
    </>,
  ),
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy(),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
  },
});

interface ErrorText {
  readonly status: number;
  readonly title: string;
  readonly message: string;
}

const FORM_NOT_OURS: ErrorText = {
  status: 403,
  title: 'This form was not accepted',
  message:
    'It was sent from another site, or before you signed in or out in another window. Go back, reload the page, and send it again.',
};

const titles = new Map([
  [400, 'That was not understood'],
  [404, 'Nothing here'],
  [413, 'That was too much'],
  [415, 'That was not understood'],
  [429, 'Too many tries'],
  [503, 'Not just now'],
]);

/** What Fastify and its plugins say of an error; anything may be thrown. */
const pluginError = z.object({ code: z.string().catch(''), statusCode: z.number().catch(500) });

function describeError(error: unknown): ErrorText {
  if (error instanceof ServiceError) {
    const { status } = ERRORS[error.kind];
    return { status, title: titles.get(status) ?? 'Something went wrong', message: error.message };
  }
  const foreseen = toServiceError(error);
  if (foreseen.kind === 'payloadTooLarge') return describeError(foreseen);
  const { code, statusCode: status } = pluginError.catch({ code: '', statusCode: 500 }).parse(error);
  if (code.startsWith('FST_CSRF_')) return FORM_NOT_OURS;
  return {
    status,
    title: titles.get(status) ?? 'Something went wrong',
    message:
      status < 500
        ? 'The browser sent something that this page does not take. Go back and try again.'
        : 'The server failed to make this page. What you did before is kept; try again.',
  };
}

/** Whether a script of ours asks, which shows the words itself. */
const isForScript = ({ headers }: FastifyRequest) => headers.accept === 'application/json';

/** For whom a page of its own would be work: words of ours and nothing else. */
const barePage = (words: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Too many tries</title><p>${words}</p></html>`;

/** Of these a visitor without a session has only so many: see Refusals. */
const COUNTED: ReadonlySet<number> = new Set([400, 403, 413, 415]);

/** Answers errors of the console's routes as pages. */
export function addErrorPages(server: FastifyInstance, pages: PageRouter): void {
  const tooManyFor = (error: unknown, status: number, { ip }: FastifyRequest) => {
    if (error instanceof ServiceError && error.kind === 'rateLimited') return error;
    return COUNTED.has(status) ? pages.parts.refusals.add(ip) : undefined;
  };

  server.setErrorHandler(async (error, request, reply) => {
    const { status, title, message } = describeError(error);
    if (status >= 500)
      pages.parts.log.error({ err: error, page: request.routeOptions.url }, 'A page failed.');
    if (error instanceof ServiceError && error.retryAfterSeconds !== undefined) {
      reply.header('Retry-After', error.retryAfterSeconds);
    }
    if (hasLongRest(request)) reply.header('Connection', 'close');
    // Where the database is what failed, nobody can be known by their session.
    const visit = await pages.visit(request, reply).catch(() => pages.anonymousVisit(request, reply));
    const tooMany = visit.visitor === undefined ? tooManyFor(error, status, request) : undefined;
    if (tooMany !== undefined) {
      reply.code(ERRORS[tooMany.kind].status).header('Retry-After', tooMany.retryAfterSeconds);
      return isForScript(request)
        ? reply.header('Content-Type', 'application/json; charset=utf-8').send(errorJson(tooMany.message))
        : reply.header('Content-Type', 'text/html; charset=utf-8').send(barePage(tooMany.message));
    }
    if (isForScript(request)) {
      return reply
        .code(status)
        .headers({ 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' })
        .send(errorJson(message));
    }
    const [back, words] =
      visit.visitor === undefined ? ['/', 'To the front page'] : ['/overview', 'To the overview'];
    return visit.page(
      { title, status, width: 'narrow' },
      <>
        <h1>{title}</h1>
        <p>{message}</p>
        <p>
          <a href={back}>{words}</a>
        </p>
      </>,
    );
  });
}
