import type { DetailField } from '../table/detail-columns.js';
import type { NameColumn } from '../table/directory-data.js';
import lists from './closed-lists.json' with { type: 'json' };

const byColumn: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(lists).map(([column, names]) => [column, new Map(Object.entries(names))]),
);

/**
 * The name of a code of a list that hardly changes, such as the regions and the police forces. It stands in for the
 * tables of an edition that comes without them.
 */
export const closedListName = (column: NameColumn | DetailField, code: string): string | undefined =>
  byColumn.get(column)?.get(code);
