import type { ComponentChildren } from 'preact';
import { Form, Submit, ButtonForm } from './form.js';
import { formatCount } from './formatting.js';
import { type MenuEntry, type PageState, usePageState } from './page-state.js';

type Link = Pick<MenuEntry, 'path' | 'label'> & {
  /** The number of items waiting on the linked page. */
  readonly waiting?: number;
};

/** The link to the operator pages, which have a menu of their own. */
const OPERATOR: Link = { path: '/operator', label: 'Operator' };
export const INBOX_PATH = '/operator/inbox';
const INBOX: Link = { path: INBOX_PATH, label: 'Inbox' };

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

/** The number of open requests, to be shown beside a menu label: "99+" above 99, nothing for 0. */
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
  const { user, isSignUpOpen } = usePageState();
  if (user === null) return null;
  return (
    <div class="site-account">
      {user === undefined ? (
        <Menu links={isSignUpOpen ? [SIGN_IN, SIGN_UP] : [SIGN_IN]} />
      ) : (
        <>
          <a href="/account" class="who" title={user.account.email}>
            <span class="visually-hidden">Your account: </span>
            {user.account.name ?? user.account.email}
          </a>
          <ButtonForm action="/signout" look="quiet">
            Sign out
          </ButtonForm>
        </>
      )}
    </div>
  );
}

/** Whether a page is the link's page or below it. */
const isAt = (path: string, { path: linked }: Link) => path === linked || path.startsWith(`${linked}/`);

interface MenuProps {
  readonly links: readonly Link[];
}

/** Links, of which the last one that leads to this page or to one above it is marked. */
function Menu({ links }: MenuProps) {
  const { path: here } = usePageState();
  const current = links.findLast((link) => isAt(here, link));
  return (
    <ul>
      {links.map((link) => (
        <li>
          <a
            href={link.path}
            aria-current={link === current ? (link.path === here ? 'page' : 'true') : undefined}
          >
            {link.label}
            <WaitingCount count={link.waiting ?? 0} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A menu that is folded away on a phone. */
const FoldedMenu = ({ label, links }: MenuProps & { readonly label: ComponentChildren }) => (
  <details class="folded-menu">
    <summary>{label}</summary>
    <Menu links={links} />
  </details>
);

/** The search field for what the signed-in person may find, such as projects, keys and requests. */
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
    <Submit look="small">Find</Submit>
  </Form>
);

/**
 * The product name and the menu, then the search, account and sign-out of a person, or the sign-in and, if it is open,
 * the sign-up for strangers.
 */
export function SiteHeader() {
  const state = usePageState();
  const links = menuOf(state);
  const label = (
    <>
      Menu
      <WaitingCount count={state.openRequests} />
    </>
  );
  return (
    <header class="site">
      <div class="site-inner">
        <a class="brand" href="/">
          <img src={`${state.assets.prefix}signpost.svg`} alt="" width="28" height="28" />
          Signpost
        </a>
        <nav aria-label="Main">
          {state.user ? <FoldedMenu label={label} links={links} /> : <Menu links={links} />}
        </nav>
        {state.user && <SiteSearch />}
        <Account />
      </div>
    </header>
  );
}

/** The menu of the operator pages. On a phone it is folded away. */
export function OperatorTabs() {
  const { menu, openRequests } = usePageState();
  const links = menu
    .filter(({ access }) => access === 'operator')
    .map((link) => (link.path === INBOX_PATH ? { ...link, waiting: openRequests } : link));
  return (
    <nav class="operator-tabs" aria-label="Operator">
      <FoldedMenu label="Operator pages" links={links} />
    </nav>
  );
}
