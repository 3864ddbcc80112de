import type { Operation } from '@signpost/contract';
import { memoizeByObject } from '../../platform/memoize-by-object.js';
import { SearchForm } from '../layout/search-form.js';
import { requestFields, type RequestField } from '../request/request-fields.js';

const MAX_SHOWN_CHARACTERS = 100;

/** The texts of an operation and its fields, in lower case. */
const textOf = memoizeByObject((operation: Operation) => {
  const { title, description, path, tag } = operation;
  const fields = requestFields(operation).flatMap(({ name, label, hint = '' }) => [name, label, hint]);
  return [title, description, path, tag, ...fields].join(' ').toLowerCase();
});

const wordsOf = (words: string) => words.toLowerCase().split(/\s+/u).filter(Boolean);

/**
 * The operations whose identifier and texts together contain each of these words; all operations if there are no words.
 * Keeps the order of `operations`.
 */
export function findOperations(
  operations: Readonly<Record<string, Operation>>,
  words: string,
): Readonly<Record<string, Operation>> {
  const searchWords = wordsOf(words);
  return Object.fromEntries(
    Object.entries(operations).filter(([id, operation]) => {
      const text = `${id.toLowerCase()} ${textOf(operation)}`;
      return searchWords.every((word) => text.includes(word));
    }),
  );
}

/** The fields of an operation whose texts contain all of these words; none if there are no words. */
export function findFields(operation: Operation, words: string): readonly RequestField[] {
  const searchWords = wordsOf(words);
  if (searchWords.length === 0) return [];
  return requestFields(operation).filter(({ name, label, hint = '' }) => {
    const text = `${name} ${label} ${hint}`.toLowerCase();
    return searchWords.every((word) => text.includes(word));
  });
}

interface SearchProps {
  readonly words: string;
  readonly found: number;
  readonly total: number;
}

/** The search field of the reference, with the number of operations found unless it is all. */
export const ReferenceSearch = ({ words, found, total }: SearchProps) => (
  <SearchForm
    action="/reference"
    name="reference"
    label="Search the operations"
    placeholder="screenshot, radius, /api/usage …"
    words={words.slice(0, MAX_SHOWN_CHARACTERS)}
  >
    <p class="muted" role="status" id="reference-found">
      {found === total ? '' : `${found} of ${total} operations.`}
      {found === 0 ? ' Use fewer words, or clear the search to see all.' : ''}
    </p>
  </SearchForm>
);
