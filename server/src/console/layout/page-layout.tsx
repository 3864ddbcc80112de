import type { ComponentChild } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { FormProblems } from './form-data.js';
import { Form } from './form.js';
import { type PageState, PageStateProvider, usePageState } from './page-state.js';

interface Entry {
  readonly href: string;
  readonly label: string;
}

const SIGNED_IN: readonly Entry[] = [
  { href: '/overview', label: 'Overview' },
  { href: '/playground', label: 'Playground' },
  { href: '/apikeys', label: 'Tokens' },
  { href: '/reference', label: 'Reference' },
];
const OPERATOR: Entry = { href: '/operator', label: 'Operator' };

function Account() {
  const { visitor, isSignUpOpen } = usePageState();
  if (visitor === null) return null;
  return (
    <div class="site-account">
      {visitor === undefined ? (
        <ul>
          <Link href="/signin" label="Sign in" />
          {isSignUpOpen ? <Link href="/signup" label="Sign up" /> : null}
        </ul>
      ) : (
        <>
          <a href="/password" class="who" title={visitor.account.email}>
            <span class="visually-hidden">Your account: </span>
            {visitor.account.name ?? visitor.account.email}
          </a>
          <Form action="/signout">
            <button class="quiet" type="submit">
              Sign out
            </button>
          </Form>
        </>
      )}
    </div>
  );
}

function Link({ href, label }: Entry) {
  const { path } = usePageState();
  const isCurrent = path === href || path.startsWith(`${href}/`);
  return (
    <li>
      <a href={href} {...(isCurrent ? { 'aria-current': path === href ? 'page' : 'true' } : {})}>
        {label}
      </a>
    </li>
  );
}

/** The name of the product, where to go, and who is signed in. */
function SiteHeader() {
  const { visitor, assets } = usePageState();
  const entries =
    visitor === undefined || visitor === null
      ? SIGNED_IN.slice(-1)
      : visitor.account.isOperator
        ? [...SIGNED_IN, OPERATOR]
        : SIGNED_IN;
  return (
    <header class="site">
      <div class="site-inner">
        <a class="brand" href="/">
          <img src={`${assets.prefix}signpost.svg`} alt="" width="28" height="28" />
          Signpost
        </a>
        <nav aria-label="Main">
          <ul>
            {entries.map((entry) => (
              <Link key={entry.href} {...entry} />
            ))}
          </ul>
        </nav>
        <Account />
      </div>
    </header>
  );
}

export interface PageHead {
  readonly title: string;
  /** The HTTP status; 200, or that of the problems, where it is left out. */
  readonly status?: number;
  /** What was wrong with the form that is shown again. */
  readonly problems?: FormProblems | undefined;
  /** A wide page has room for tables and charts, a narrow one holds a single form. */
  readonly width?: 'narrow' | 'wide';
}

function Page({ head, state, content }: { head: PageHead; state: PageState; content: ComponentChild }) {
  const { prefix, names } = state.assets;
  const styleSheets = names.filter((name) => name.endsWith('.css'));
  return (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${head.title} · Signpost`}</title>
        {styleSheets.map((name) => (
          <link key={name} rel="stylesheet" href={`${prefix}${name}`} />
        ))}
        <link rel="icon" type="image/svg+xml" href={`${prefix}signpost.svg`} />
        <script type="module" src={`${prefix}console.js`} />
      </head>
      <body>
        <PageStateProvider value={state}>
          <a class="skip" href="#content">
            Skip to the content
          </a>
          <SiteHeader />
          <main id="content" class={head.width ?? 'wide'} tabindex={-1}>
            {content}
          </main>
          <div id="announcements" role="status" class="visually-hidden" />
        </PageStateProvider>
      </body>
    </html>
  );
}

/** A whole page as HTML. */
export const renderPage = (head: PageHead, state: PageState, content: ComponentChild): string =>
  `<!doctype html>${renderToString(<Page head={head} state={state} content={content} />)}`;
