import type { ComponentChild } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { FormProblems } from './form-data.js';
import { Form } from './form.js';
import { formatCount, NowContext } from './formatting.js';
import { type MenuEntry, type PageState, PageStateProvider, usePageState } from './page-state.js';

type Link = Pick<MenuEntry, 'path' | 'label'> & {
  /** The number of items that wait on the page, shown beside its link. */
  readonly waiting?: number;
};

/** A single link, because the operator pages have a menu of their own. */
const OPERATOR: Link = { path: '/operator', label: 'Operator' };
export const INBOX_PATH = '/operator/inbox';
const INBOX: Link = { path: INBOX_PATH, label: 'Inbox' };

/** The links of a page's menu. */
function menuOf({ menu, user, openRequests }: PageState): readonly Link[] {
  const account = user?.account;
  const access = account === undefined ? ['everybody'] : ['everybody', 'signedIn'];
  const links = menu.filter((entry) => access.includes(entry.access));
  if (account?.isOperator !== true) return links;
  return openRequests === 0
    ? [...links, OPERATOR]
    : [...links, OPERATOR, { ...INBOX, waiting: openRequests }];
}

const MAX_SHOWN = 99;

/** The number of open requests, beside a menu label; nothing if it is 0. */
export function WaitingCount({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span class="waiting-count">
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : formatCount(count)}
      <span class="visually-hidden"> waiting</span>
    </span>
  );
}

const SIGN_IN: Link = { path: '/signin', label: 'Sign in' };
const SIGN_UP: Link = { path: '/signup', label: 'Sign up' };

function Account() {
  const { user, isSignUpOpen, path } = usePageState();
  if (user === null) return null;
  return (
    <div class="site-account">
      {user === undefined ? (
        <ul>
          {(isSignUpOpen ? [SIGN_IN, SIGN_UP] : [SIGN_IN]).map((link) => (
            <MenuItem key={link.path} link={link} current={isAt(path, link) ? link : undefined} />
          ))}
        </ul>
      ) : (
        <>
          <a href="/account" class="who" title={user.account.email}>
            <span class="visually-hidden">Your account: </span>
            {user.account.name ?? user.account.email}
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

/** Whether a page is the link's page or below it. */
const isAt = (path: string, { path: linked }: Link) => path === linked || path.startsWith(`${linked}/`);

interface MenuItemProps {
  readonly link: Link;
  /** The menu link of the current page. */
  readonly current: Link | undefined;
}

function MenuItem({ link, current }: MenuItemProps) {
  const { path, label, waiting = 0 } = link;
  const here = usePageState().path === path ? 'page' : 'true';
  return (
    <li>
      <a href={path} {...(link === current ? { 'aria-current': here } : {})}>
        {label}
        <WaitingCount count={waiting} />
      </a>
    </li>
  );
}

/** The search field for everything that the signed-in person may see. */
const SiteSearch = () => (
  <Form action="/search" class="site-search" role="search" aria-label="Find">
    <input
      type="search"
      name="q"
      aria-label="Find a project, key or request"
      placeholder="Find…"
      autocomplete="off"
      required
    />
    <button type="submit" class="small">
      Find
    </button>
  </Form>
);

/** The head of each page: product name, menu, and the signed-in person. */
function SiteHeader() {
  const state = usePageState();
  const menu = menuOf(state);
  // The inbox belongs to the operator pages, but has a link of its own after theirs.
  const current = menu.findLast((link) => isAt(state.path, link));
  return (
    <header class="site">
      <div class="site-inner">
        <a class="brand" href="/">
          <img src={`${state.assets.prefix}signpost.svg`} alt="" width="28" height="28" />
          Signpost
        </a>
        <nav aria-label="Main">
          <ul>
            {menu.map((link) => (
              <MenuItem key={link.path} link={link} current={current} />
            ))}
          </ul>
        </nav>
        {state.user ? <SiteSearch /> : null}
        <Account />
      </div>
    </header>
  );
}

/** The operator's contact, on every page if it is configured. */
function SiteFooter() {
  const { contact } = usePageState();
  if (contact === undefined) return null;
  return (
    <footer class="site-footer">
      <p>
        Questions? Ask the operator of this server: <a href={contact.href}>{contact.label}</a>
      </p>
    </footer>
  );
}

export interface PageHead {
  readonly title: string;
  /** The description for search engines and previews of links. */
  readonly description?: string;
  /** The page's address, for previews of a link to it. Only pages that others link to have one. */
  readonly address?: string;
  /** The HTTP status. By default 200, or that of the problems. */
  readonly status?: number;
  /** The problems of a form that is shown again. */
  readonly problems?: FormProblems | undefined;
  /** Wide pages have room for tables and charts; narrow ones hold a single form. */
  readonly width?: 'narrow' | 'wide';
}

interface PreviewProps {
  readonly head: PageHead;
  readonly address: string;
  readonly prefix: string;
}

/** The tags from which other sites and messengers make a preview of a link to the page. */
function Preview({ head: { title, description }, address, prefix }: PreviewProps) {
  const facts = {
    'og:type': 'website',
    'og:site_name': 'Signpost',
    'og:title': `${title} · Signpost`,
    'og:description': description,
    'og:url': address,
    'og:image': new URL(`${prefix}preview.png`, address).href,
  };
  return (
    <>
      {Object.entries(facts).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function Page({ head, state, content }: { head: PageHead; state: PageState; content: ComponentChild }) {
  const { prefix } = state.assets;
  return (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${head.title} · Signpost`}</title>
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#191f1c" media="(prefers-color-scheme: dark)" />
        {head.description === undefined ? null : <meta name="description" content={head.description} />}
        {head.address === undefined ? null : <Preview head={head} address={head.address} prefix={prefix} />}
        <link rel="stylesheet" href={`${prefix}console.css`} />
        <link rel="icon" type="image/svg+xml" href={`${prefix}signpost.svg`} />
        <link rel="apple-touch-icon" href={`${prefix}touch-icon.png`} />
        <script type="module" src={`${prefix}console.js`} />
      </head>
      <body>
        <PageStateProvider value={state}>
          <a class="skip" href="#content">
            Skip to the content
          </a>
          <SiteHeader />
          <main id="content" class={head.width ?? 'wide'} tabindex={-1}>
            <NowContext.Provider value={state.nowMs}>{content}</NowContext.Provider>
          </main>
          <SiteFooter />
          <div id="announcements" role="status" class="visually-hidden" />
        </PageStateProvider>
      </body>
    </html>
  );
}

/** A whole page as HTML. */
export const renderPage = (head: PageHead, state: PageState, content: ComponentChild): string =>
  `<!doctype html>${renderToString(<Page head={head} state={state} content={content} />)}`;
