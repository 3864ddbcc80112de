import type { Assets } from './assets.js';
import { renderPage } from './layout/page.js';
import { contentSecurityPolicy } from './security-headers.js';

/** The page for a link that leads nowhere; the same for everybody, so that it needs no session. */
export const notFoundPage = (assets: Assets, isSignUpOpen: boolean) => ({
  html: renderPage(
    { title: 'Nothing here', width: 'narrow' },
    {
      visitor: undefined,
      assets,
      isSignUpOpen,
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
    'Cache-Control': 'no-store',
  },
});
