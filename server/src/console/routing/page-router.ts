import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import { PageContext, type Site } from './page-context.js';
import type { Page } from './page.js';

/** The context of a request, whoever sends it. */
export const openContext = async (
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PageContext> => {
  const user = await site.sessionCookie.findUser(request, reply);
  if (user !== undefined) request.caller = { accountId: user.account.id };
  return new PageContext(request, reply, user, site);
};

/** Adds the routes of the pages. What is sent to one must carry the token of its form. */
export function addPages(server: FastifyInstance, site: Site, pages: readonly Page[]): void {
  const { deps, sessionCookie } = site;

  const checkFormToken: preHandlerHookHandler = (request, reply, done) => {
    server.csrfProtection(request, reply, done);
  };

  /** Whoever has no session is bounded by the address: a form may show who they are only once it is read. */
  const checkStranger: onRequestHookHandler = (request, _reply, done) => {
    const isStranger = sessionCookie.read(request) === undefined;
    done(isStranger ? deps.refusals.beforeBody(request) : undefined);
  };

  for (const { path, get, post } of pages) {
    server.get(path, async (request, reply) => get(await openContext(site, request, reply)));
    if (post === undefined) continue;
    server.post(path, { onRequest: checkStranger, preHandler: checkFormToken }, async (request, reply) =>
      post(await openContext(site, request, reply)),
    );
  }
}
