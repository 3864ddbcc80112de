import { type Operation, operations } from '@signpost/contract';
import { operationPath } from '../layout/operation-path.js';

export const MethodBadge = ({ method }: Pick<Operation, 'method'>) => (
  <span class={`method ${method.toLowerCase()}`}>{method}</span>
);

/** The operations of one interface that have the same tag, each with its identifier. */
interface Group {
  readonly side: Operation['interface'];
  readonly tag: Operation['tag'];
  readonly operations: readonly (readonly [id: string, operation: Operation])[];
}

/** Groups operations by interface and tag. Interface A comes first; otherwise the order is that of the table. */
export function groupsOf(table: Readonly<Record<string, Operation>>): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const entry of Object.entries(table)) {
    const { interface: side, tag } = entry[1];
    const key = `${side} ${tag}`;
    groups.set(key, { side, tag, operations: [...(groups.get(key)?.operations ?? []), entry] });
  }
  return [...groups.values()].sort((one, other) => one.side.localeCompare(other.side));
}

const GROUPS = groupsOf(operations);

export const OperationLinks = ({ chosen }: { readonly chosen: string }) => (
  <nav class="operation-links" aria-label="Operations">
    <p>
      <a href="/reference">Reference</a>
    </p>
    <details>
      <summary>All operations</summary>
      {GROUPS.map(({ tag, operations: members }) => (
        <div>
          <p id={`about-${tag}`}>{tag}</p>
          <ul aria-labelledby={`about-${tag}`}>
            {members.map(([id, { title }]) => (
              <li>
                <a href={operationPath(id)} {...(id === chosen ? { 'aria-current': 'page' } : {})}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </details>
  </nav>
);
