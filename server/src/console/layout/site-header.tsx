import { Form } from './form.js';
import { formatCount } from './formatting.js';
import { type MenuEntry, type PageState, usePageState } from './page-state.js';

type Link = Pick<MenuEntry, 'path' | 'label'> & {
  /** The number of items waiting on the linked page. */
  readonly waiting?: number;
};

/** The operator pages have a menu of their own. */
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

/** The product name, the menu, and who is signed in. */
export function SiteHeader() {
  const state = usePageState();
  const menu = menuOf(state);
  // The path of the inbox is below that of the operator pages, so both links match. The inbox's link comes last.
  const current = menu.findLast((link) => isAt(state.path, link));
  const links = (
    <ul>
      {menu.map((link) => (
        <MenuItem key={link.path} link={link} current={current} />
      ))}
    </ul>
  );
  return (
    <header class="site">
      <div class="site-inner">
        <a class="brand" href="/">
          <img src={`${state.assets.prefix}signpost.svg`} alt="" width="28" height="28" />
          Signpost
        </a>
        <nav aria-label="Main">
          {state.user ? (
            <details class="folded-menu">
              <summary>
                Menu
                <WaitingCount count={state.openRequests} />
              </summary>
              {links}
            </details>
          ) : (
            links
          )}
        </nav>
        {state.user ? <SiteSearch /> : null}
        <Account />
      </div>
    </header>
  );
}

/** The menu of the operator pages. It is folded away on a phone, where it would fill half the screen. */
export function OperatorTabs() {
  const { path: current, menu, openRequests } = usePageState();
  return (
    <nav class="operator-tabs" aria-label="Operator">
      <details class="folded-menu">
        <summary>Operator pages</summary>
        <ul>
          {menu
            .filter(({ access }) => access === 'operator')
            .map(({ path, label }) => {
              const isWithin = path !== '/operator' && current.startsWith(`${path}/`);
              const state = current === path ? 'page' : isWithin ? 'true' : undefined;
              return (
                <li key={path}>
                  <a href={path} {...(state === undefined ? {} : { 'aria-current': state })}>
                    {label}
                    {path === INBOX_PATH ? <WaitingCount count={openRequests} /> : null}
                  </a>
                </li>
              );
            })}
        </ul>
      </details>
    </nav>
  );
}
