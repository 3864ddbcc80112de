import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import csrf from '@fastify/csrf-protection';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { addAssets, type Assets } from './layout/assets.js';
import type { ConsoleDeps } from './routing/console-deps.js';
import { BROTLI_QUALITY } from '../http/compressed-bodies.js';
import { addErrorPages } from './routing/error-pages.js';
import { parseForm } from './layout/form-data.js';
import { MENU, PAGES } from './page-list.js';
import type { Site } from './routing/page-context.js';
import { addPages } from './routing/page-router.js';
import { SessionCookie } from './routing/session-cookie.js';
import { securityHeaders } from './routing/security-headers.js';

const FORM_COOKIE_SECONDS = 365 * 86_400;

/** Adds the pages for people, apart from the routes of the interfaces: cookies and forms are known here alone. */
export function addConsole(server: FastifyInstance, deps: ConsoleDeps, assets: Assets): void {
  const sessionCookie = new SessionCookie(deps);
  server.register(async (scope) => {
    await scope.register(compress, {
      // What is sent is taken as it is: a few bytes may stand for many.
      globalDecompression: false,
      encodings: ['br', 'gzip'],
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    });
    await scope.register(cookie);
    await scope.register(formbody, { parser: parseForm });
    await scope.register(helmet, securityHeaders(deps.isHttps));
    await scope.register(csrf, {
      cookieKey: deps.isHttps ? '__Host-form' : 'form',
      // As lasting as a session, so that tabs that a browser restores keep their forms.
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
    scope.addHook('onRequest', (request, _reply, done) => {
      // If the browser sent a session, only the database tells whether it is a stranger's.
      done(sessionCookie.read(request) === undefined ? deps.strangers.take(request) : undefined);
    });
    addAssets(scope, assets, deps.bodies);
    const site: Site = { deps, assets, menu: MENU, sessionCookie };
    addErrorPages(scope, site);
    addPages(scope, site, PAGES);
  });
}
