import type { DetailField } from '../table/detail-columns.js';
import type { NameColumn } from '../table/directory-data.js';
import lists from './closed-lists.json' with { type: 'json' };

const byColumn: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(lists).map(([column, names]) => [column, new Map(Object.entries(names))]),
);

/**
 * The name of a code in a closed list, such as that of the regions; undefined if there is none. Used for codes that no
 * table of names has.
 */
export const closedListName = (column: NameColumn | DetailField, code: string): string | undefined =>
  byColumn.get(column)?.get(code);
