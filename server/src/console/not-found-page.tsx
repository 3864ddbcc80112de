import type { Assets } from './layout/assets.js';
import { renderPage } from './layout/page-layout.js';
import { MENU } from './page-list.js';
import { contentSecurityPolicy } from './routing/security-headers.js';

/** The page, with its headers, that people who are not signed in see at unknown addresses. */
export const notFoundPage = (assets: Assets) => ({
  html: renderPage(
    { title: 'Nothing here', width: 'narrow' },
    {
      user: null,
      assets,
      menu: MENU,
      isSignUpOpen: false,
      contact: undefined,
      openRequests: 0,
      path: '',
      doneCode: '',
      doneKey: '',
      formToken: () => '',
    },
    <>
      <h1>Nothing here</h1>
      <p>
        There is no page at this address. Start again from <a href="/">the front page</a>, or search{' '}
        <a href="/docs">the documents</a>.
      </p>
    </>,
  ),
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy(),
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  },
});
