import type { Group } from './groups.js';
import { MethodBadge } from './method-badge.js';

function Entry({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <li>
      <a href={href}>{children}</a>
    </li>
  );
}

/** What the page has, beside the content on a wide screen and above it on a narrow one. */
export function Contents({
  groups,
  hasRecords,
}: {
  readonly groups: readonly Group[];
  readonly hasRecords: boolean;
}) {
  return (
    <nav class="contents" aria-label="Contents">
      <ul>
        <Entry href="#authorisation">Authorisation</Entry>
      </ul>
      {groups.map(({ side, tag, operations }) => (
        <div key={`${side} ${tag}`} class="contents-group">
          <p id={`contents-${side}-${tag}`}>
            {tag} <span class="muted">· Interface {side}</span>
          </p>
          <ul aria-labelledby={`contents-${side}-${tag}`}>
            {operations.map(([id, { method, title }]) => (
              <li key={id}>
                <a href={`#${id}`}>
                  <MethodBadge method={method} /> {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <ul>
        <Entry href="#errors">Errors</Entry>
        {hasRecords ? <Entry href="#records">Records</Entry> : null}
      </ul>
    </nav>
  );
}
