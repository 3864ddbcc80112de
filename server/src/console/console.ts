import cookie from '@fastify/cookie';
import csrf from '@fastify/csrf-protection';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { addAssets, type Assets } from './assets.js';
import type { ConsoleDeps } from './routing/console-deps.js';
import { addErrorPages } from './routing/error-pages.js';
import { parseForm } from './layout/form-data.js';
import { PageRouter } from './routing/page-router.js';
import {
  addKeyPages,
  addOperatorPages,
  addOverviewPages,
  addReloadedPages,
  addTokenPages,
} from './page-list.js';
import { SessionCookie } from './routing/session-cookie.js';
import { securityHeaders } from './routing/security-headers.js';
import { addFrontPage } from './front-page.js';
import { addPasswordPage } from './accounts/password-page.js';
import { addSignInPage, addSignOut } from './accounts/sign-in-page.js';
import { addSignUpPage } from './accounts/sign-up-page.js';
import { addPlaygroundPages } from './playground/playground-pages.js';
import { addReferencePage } from './reference/reference-page.js';

const FORM_COOKIE_SECONDS = 365 * 86_400;

/** Adds the pages for people, apart from the routes of the interfaces: cookies and forms are known here alone. */
export function addConsole(server: FastifyInstance, parts: ConsoleDeps, assets: Assets): void {
  const sessionCookie = new SessionCookie(parts);
  server.register(async (scope) => {
    await scope.register(cookie);
    await scope.register(formbody, { parser: parseForm });
    await scope.register(helmet, securityHeaders(parts.isHttps));
    await scope.register(csrf, {
      cookieKey: parts.isHttps ? '__Host-form' : 'form',
      // As lasting as a session, so that tabs that a browser restores keep their forms.
      cookieOpts: {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: parts.isHttps,
        maxAge: FORM_COOKIE_SECONDS,
      },
      csrfOpts: { hmacKey: parts.formKey, userInfo: true },
      getUserInfo: (request) => sessionCookie.formOwner(request),
    });
    await addAssets(scope, assets);
    const pages = new PageRouter(scope, parts, assets, sessionCookie);
    addErrorPages(scope, pages);
    addFrontPage(pages);
    addSignInPage(pages);
    addSignUpPage(pages);
    addSignOut(pages);
    addPasswordPage(pages);
    addOverviewPages(pages);
    addKeyPages(pages);
    addPlaygroundPages(pages);
    addTokenPages(pages);
    addOperatorPages(pages);
    addReferencePage(pages);
    addReloadedPages(pages);
  });
}
