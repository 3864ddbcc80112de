import type { Operation } from '@signpost/contract';

/** GET or POST, told apart by word and colour. */
export function MethodBadge({ method }: Pick<Operation, 'method'>) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>;
}

/** The operations of one interface under one heading, each with its identifier. */
interface Group {
  readonly side: Operation['interface'];
  readonly tag: Operation['tag'];
  readonly operations: readonly (readonly [id: string, operation: Operation])[];
}

/** Operations by interface and tag, in the order of the table. */
export function groupsOf(operations: Readonly<Record<string, Operation>>): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const entry of Object.entries(operations)) {
    const { interface: side, tag } = entry[1];
    const key = `${side} ${tag}`;
    groups.set(key, { side, tag, operations: [...(groups.get(key)?.operations ?? []), entry] });
  }
  return [...groups.values()].sort((one, other) => one.side.localeCompare(other.side));
}

function Entry({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <li>
      <a href={href}>{children}</a>
    </li>
  );
}

/** The contents of the page, beside the content on a wide screen, and folded away above it on a narrow one. */
export function Contents({
  groups,
  hasRecords,
}: {
  readonly groups: readonly Group[];
  readonly hasRecords: boolean;
}) {
  return (
    <nav class="contents" aria-label="Contents">
      <details>
        <summary>Contents</summary>
        <div class="contents-list">
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
        </div>
      </details>
    </nav>
  );
}
