import type { Knex } from 'knex';

/** No stored text is this long, so a longer search returns nothing without a query. */
const MAX_SEARCH_CHARACTERS = 300;

const patternOf = (text: string) => `%${text.replace(/[!%_]/gu, '!$&')}%`;

/**
 * Selects rows in which a column contains the text, ignoring case. Treats no character as a wildcard. SQLite ignores
 * case only in ASCII, PostgreSQL in all letters; both find a text typed in its stored case.
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
