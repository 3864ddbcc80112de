import { usePageState } from '../layout/page-state.js';

const TABS = [
  { href: '/operator', label: 'This server' },
  { href: '/operator/accounts', label: 'Accounts' },
  { href: '/operator/return-urls', label: 'Return URLs' },
] as const;

/** Where an operator can go from here. */
export function OperatorTabs() {
  const { path } = usePageState();
  return (
    <nav class="operator-tabs" aria-label="Operator">
      <ul>
        {TABS.map(({ href, label }) => {
          const isWithin = href !== '/operator' && path.startsWith(`${href}/`);
          const current = path === href ? 'page' : isWithin ? 'true' : undefined;
          return (
            <li key={href}>
              <a href={href} {...(current === undefined ? {} : { 'aria-current': current })}>
                {label}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
