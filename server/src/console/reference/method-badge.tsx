import type { Operation } from '@signpost/contract';

/** GET or POST, told apart by word and colour. */
export function MethodBadge({ method }: Pick<Operation, 'method'>) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>;
}
