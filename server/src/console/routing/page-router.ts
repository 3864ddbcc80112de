import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandler,
  onRequestAsyncHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import { formatDuration } from '@signpost/contract';
import { readSignUp } from '../../accounts/sign-up.js';
import { ServiceError } from '../../platform/errors.js';
import { RecentEvents } from '../../throttle/recent-events.js';
import { PageContext, type Site } from './page-context.js';
import type { Page } from './page.js';
import { readFields, rejectTooLarge, takeUploads } from './upload.js';

export const openContext = async (
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PageContext> => {
  const [user, isSignUpOpen] = await Promise.all([
    site.sessionCookie.findUser(request, reply),
    readSignUp(site.deps.domain, site.deps.signUp),
  ]);
  if (user !== undefined) request.caller = { accountId: user.account.id };
  const context = new PageContext(request, reply, user, site, isSignUpOpen);
  await context.countRequests();
  return context;
};

const MAX_FORMS = 300;
const FORMS_WINDOW_MS = 600_000;

/**
 * Creates a check that throws a ServiceError if an account sends more than MAX_FORMS forms in ten minutes, because
 * their audit entries could fill the disk.
 */
function createFormBudget(monotonicMs: () => number) {
  const recent = new RecentEvents({ max: MAX_FORMS, windowMs: FORMS_WINDOW_MS, monotonicMs });
  return ({ user }: PageContext): void => {
    const retryAfterSeconds = user === undefined ? 0 : recent.add(user.account.id);
    if (retryAfterSeconds === 0) return;
    throw new ServiceError(
      'rateLimited',
      `This account sent ${MAX_FORMS} forms in ten minutes. Try again in ${formatDuration(retryAfterSeconds)}.`,
      { retryAfterSeconds },
    );
  };
}

/** Adds the routes of the pages. A POST must carry the token of the page's form, except for open forms of strangers. */
export function addPages(server: FastifyInstance, site: Site, pages: readonly Page[]): void {
  const { deps, sessionCookie } = site;
  const takeForm = createFormBudget(deps.monotonicMs);
  const takeTyping = createFormBudget(deps.monotonicMs);

  const checkFormToken: preHandlerHookHandler = (request, reply, done) => {
    server.csrfProtection(request, reply, done);
  };
  /**
   * Checks the token only if the request has a session cookie. Without one, a form of another site cannot act for
   * anybody.
   */
  const checkOpenForm: preHandlerHookHandler = (request, reply, done) => {
    if (sessionCookie.read(request) === undefined) done();
    else server.csrfProtection(request, reply, done);
  };

  /** Rejects a stranger's long form before it is read, if too many requests from their IP address were rejected. */
  const checkStranger: onRequestAsyncHookHandler = async (request) => {
    const rejection = deps.rejectionLimit.beforeBody(request);
    if (rejection !== undefined && !(await sessionCookie.isSignedIn(request))) throw rejection;
  };

  for (const { path, get, post, upload, isTyping, isOpenForm } of pages) {
    server.get(path, async (request, reply) => get(await openContext(site, request, reply)));
    if (post === undefined) continue;
    const answer: RouteHandler = async (request, reply) => {
      const context = await openContext(site, request, reply);
      if (isTyping) takeTyping(context);
      else takeForm(context);
      return post(context);
    };
    if (upload === undefined) {
      const preHandler = isOpenForm ? checkOpenForm : checkFormToken;
      server.post(path, { onRequest: checkStranger, preHandler }, answer);
      continue;
    }
    const { maxBytes, beforeBody } = upload;
    const rejectEarly: onRequestAsyncHookHandler = async (request, reply) => {
      await beforeBody(await openContext(site, request, reply));
      if (!reply.sent) rejectTooLarge(request, maxBytes);
    };
    server.register(async (scope) => {
      await takeUploads(scope);
      const hooks = { onRequest: [checkStranger, rejectEarly], preHandler: [readFields, checkFormToken] };
      scope.post(path, { ...hooks, bodyLimit: maxBytes }, answer);
    });
  }
}
