import { INBOX_PATH, WaitingCount } from './page-layout.js';
import { usePageState } from './page-state.js';

/** The menu of the operator pages. It is folded away on a phone, where it would fill half the screen. */
export function OperatorTabs() {
  const { path: current, menu, openRequests } = usePageState();
  return (
    <nav class="operator-tabs" aria-label="Operator">
      <details>
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
