import type { Operation } from '@signpost/contract';
import type { Key } from '../../keys/key.js';
import { onceFor } from '../../platform/once-for.js';
import { requestFields } from '../request/request-fields.js';

/** The search in the address of the reference. */
export interface ReferenceQuery {
  readonly words: string;
  /** The identifier of the key that the code is for. */
  readonly keyId: string;
}

export const NO_QUERY: ReferenceQuery = { words: '', keyId: '' };

const MAX_SHOWN_CHARACTERS = 100;

/** The texts of an operation and its fields, in lower case. */
const textOf = onceFor((operation: Operation) => {
  const { title, description, path, tag } = operation;
  const fields = requestFields(operation).flatMap(({ name, label, hint = '' }) => [name, label, hint]);
  return [title, description, path, tag, ...fields].join(' ').toLowerCase();
});

/** The operations that are about all of these words, in the order of the table. */
export function findOperations(
  operations: Readonly<Record<string, Operation>>,
  words: string,
): Readonly<Record<string, Operation>> {
  const wanted = words.toLowerCase().split(/\s+/u);
  return Object.fromEntries(
    Object.entries(operations).filter(([id, operation]) => {
      const text = `${id.toLowerCase()} ${textOf(operation)}`;
      return wanted.every((word) => text.includes(word));
    }),
  );
}

interface SearchProps {
  readonly query: ReferenceQuery;
  readonly keys: readonly Key[];
  readonly found: number;
  readonly total: number;
}

/** Finds operations by words, and puts a key of one's own into their code. */
export function ReferenceSearch({ query: { words, keyId }, keys, found, total }: SearchProps) {
  return (
    <form action="/reference" role="search" class="filters row reference-search">
      <div class="field">
        <label for="reference-words">Search the operations</label>
        <input
          id="reference-words"
          name="q"
          type="search"
          placeholder="screenshot, radius, /api/usage …"
          value={words.slice(0, MAX_SHOWN_CHARACTERS)}
        />
      </div>
      {keys.length === 0 ? null : (
        <div class="field">
          <label for="reference-key">Key in the code</label>
          <select id="reference-key" name="key">
            <option value="">A variable</option>
            {keys.map(({ id, prefix, projectName }) => (
              <option key={id} value={id} selected={String(id) === keyId}>
                {prefix}… ({projectName})
              </option>
            ))}
          </select>
        </div>
      )}
      <button type="submit">Show</button>
      <p class="muted" role="status" id="reference-found" data-total={total}>
        {found === total ? '' : `${found} of ${total} operations.`}
        {found === 0 ? ' Use fewer words, or clear the search to see all.' : ''}
      </p>
    </form>
  );
}
