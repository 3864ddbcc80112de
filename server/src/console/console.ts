import cookie from '@fastify/cookie';
import csrf from '@fastify/csrf-protection';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { addAssets, type Assets } from './assets.js';
import type { ConsoleParts } from './console-parts.js';
import { addErrorPages } from './error-pages.js';
import { parseForm } from './form-fields.js';
import { Pages } from './pages.js';
import { addReloadedPages } from './reloaded-pages.js';
import { SessionCookie } from './session-cookie.js';
import { securityHeaders } from './security-headers.js';
import { addFrontPage } from './front/front-page.js';
import { addPasswordPage } from './accounts/password-page.js';
import { addSignInPage } from './accounts/sign-in-page.js';
import { addSignOut } from './accounts/sign-out.js';
import { addSignUpPage } from './accounts/sign-up-page.js';
import { addKeyPages } from './keys/key-pages.js';
import { addOverviewPages } from './overview/overview-pages.js';
import { addPlaygroundPages } from './playground/playground-pages.js';
import { addReferencePage } from './reference/reference-page.js';
import { addOperatorPages } from './operator/operator-pages.js';
import { addTokenPages } from './tokens/token-pages.js';

const FORM_COOKIE_SECONDS = 365 * 86_400;

/** Adds the pages for people, apart from the routes of the interfaces: cookies and forms are known here alone. */
export function addConsole(server: FastifyInstance, parts: ConsoleParts, assets: Assets): void {
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
    const pages = new Pages(scope, parts, assets, sessionCookie);
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
