import { ERRORS } from '@signpost/contract';
import type { FastifyError, FastifyInstance } from 'fastify';
import { ServiceError } from '../service-error.js';
import type { Pages } from './pages.js';

interface ErrorWords {
  readonly status: number;
  readonly title: string;
  readonly message: string;
}

const FORM_NOT_OURS: ErrorWords = {
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

function wordsOf(error: FastifyError | ServiceError): ErrorWords {
  if (error instanceof ServiceError) {
    const { status } = ERRORS[error.kind];
    return { status, title: titles.get(status) ?? 'Something went wrong', message: error.message };
  }
  if (error.code.startsWith('FST_CSRF_')) return FORM_NOT_OURS;
  const status = error.statusCode ?? 500;
  return {
    status,
    title: titles.get(status) ?? 'Something went wrong',
    message:
      status < 500
        ? 'The browser sent something that this page does not take. Go back and try again.'
        : 'The server failed to make this page. What you did before is kept; try again.',
  };
}

/** Answers errors of the console's routes as pages. */
export function addErrorPages(server: FastifyInstance, pages: Pages): void {
  server.setErrorHandler(async (error: FastifyError | ServiceError, request, reply) => {
    const words = wordsOf(error);
    if (words.status >= 500)
      pages.parts.log.error({ err: error, page: request.routeOptions.url }, 'A page failed.');
    if (error instanceof ServiceError && error.retryAfterSeconds !== undefined) {
      reply.header('Retry-After', error.retryAfterSeconds);
    }
    const visit = await pages.visit(request, reply);
    return visit.page(
      { title: words.title, status: words.status, width: 'narrow' },
      <>
        <h1>{words.title}</h1>
        <p>{words.message}</p>
        <p>
          <a href={visit.visitor === undefined ? '/' : '/overview'}>
            {visit.visitor === undefined ? 'To the front page' : 'To the overview'}
          </a>
        </p>
      </>,
    );
  });
}
