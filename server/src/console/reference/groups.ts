import type { Operation } from '@signpost/contract';

/** The operations of one interface under one heading, each with its identifier. */
export interface Group {
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
