import { Form } from './form.js';
import { usePageState } from './page-state.js';

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
export function SiteHeader() {
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
