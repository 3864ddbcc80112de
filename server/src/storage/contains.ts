import type { Knex } from 'knex';

/** Longer searches are cut off at this length. */
const MAX_SEARCH_CHARACTERS = 300;

const patternOf = (text: string) => `%${text.replace(/[!%_]/gu, '!$&')}%`;

/**
 * Selects rows in which one of the columns contains the text, ignoring case; all rows if the text is empty. Treats no
 * character as a wildcard. SQLite ignores case only in ASCII, PostgreSQL in all letters; both find a text typed in its
 * stored case.
 */
export function whereContains(query: Knex.QueryBuilder, columns: readonly string[], text: string): void {
  const search = text.trim().slice(0, MAX_SEARCH_CHARACTERS);
  if (search === '') return;
  void query.where((either) => {
    for (const column of columns) {
      void either
        .orWhereRaw(`lower(${column}) LIKE ? ESCAPE '!'`, [patternOf(search.toLowerCase())])
        .orWhereRaw(`${column} LIKE ? ESCAPE '!'`, [patternOf(search)]);
    }
  });
}
