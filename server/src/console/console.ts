import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import csrf from '@fastify/csrf-protection';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { addDocumentFiles } from './documents/documents-page.js';
import { addAssets, type Assets } from './layout/assets.js';
import type { ConsoleDeps } from './routing/console-deps.js';
import { BROTLI_QUALITY } from '../http/compressed-bodies.js';
import { addErrorPages, NOTHING_HERE, renderError } from './routing/error-pages.js';
import { notFoundPage } from './not-found-page.js';
import { parseForm } from './layout/form-data.js';
import { MENU, PAGES } from './page-list.js';
import type { Site } from './routing/page-context.js';
import { addPages, openContext } from './routing/page-router.js';
import { SessionCookie } from './routing/session-cookie.js';
import { securityHeaders } from './routing/security-headers.js';

const FORM_COOKIE_SECONDS = 365 * 86_400;

/** Adds the pages and their files, in a scope of their own: only they need cookies, sessions and form tokens. */
export function addConsole(server: FastifyInstance, deps: ConsoleDeps, assets: Assets): void {
  const sessionCookie = new SessionCookie(deps);
  server.register(async (scope) => {
    await scope.register(compress, {
      // Never decompress request bodies: a few bytes could expand to very many.
      globalDecompression: false,
      encodings: ['br', 'gzip'],
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    });
    await scope.register(cookie);
    await scope.register(formbody, { parser: parseForm });
    await scope.register(helmet, securityHeaders(deps.isHttps));
    await scope.register(csrf, {
      cookieKey: deps.isHttps ? '__Host-form' : 'form',
      // The cookie outlasts every session, so that forms in restored tabs still work.
      cookieOpts: {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: deps.isHttps,
        maxAge: FORM_COOKIE_SECONDS,
      },
      csrfOpts: { hmacKey: deps.formKey, userInfo: true },
      getUserInfo: (request) => sessionCookie.formOwner(request),
    });
    scope.addHook('onRequest', async (request) => {
      if (!(await sessionCookie.isSignedIn(request))) await deps.strangers.admit(request);
    });
    addAssets(scope, assets, deps.bodies);
    addDocumentFiles(scope, deps.documents);
    const site: Site = { deps, assets, menu: MENU, sessionCookie };
    addErrorPages(scope, site);
    const nothing = notFoundPage(assets);
    scope.setNotFoundHandler(async (request, reply) => {
      const context = await openContext(site, request, reply);
      if (context.user === undefined) return reply.code(404).headers(nothing.headers).send(nothing.html);
      return renderError(context, NOTHING_HERE);
    });
    addPages(scope, site, PAGES);
  });
}
