import type { Knex } from 'knex';

/**
 * A longer search matches no row: SQLite refuses patterns of more than 50,000 bytes, and a search can be the whole body
 * of a form.
 */
const MAX_SEARCH_CHARACTERS = 2_000;

const patternOf = (text: string) => `%${text.replace(/[!%_]/gu, '!$&')}%`;

/**
 * Limits the query to rows in which one of the columns contains the trimmed text, ignoring case. Does nothing if it is
 * empty; finds nothing if it is too long. Treats no character as a wildcard. SQLite ignores case only in ASCII. A text
 * typed in its stored case is found on both engines.
 */
export function whereContains(query: Knex.QueryBuilder, columns: readonly string[], text: string): void {
  const search = text.trim();
  if (search === '') return;
  if (search.length > MAX_SEARCH_CHARACTERS) {
    void query.whereRaw('1 = 0');
    return;
  }
  void query.where((either) => {
    for (const column of columns) {
      void either
        .orWhereRaw(`lower(${column}) LIKE ? ESCAPE '!'`, [patternOf(search.toLowerCase())])
        .orWhereRaw(`${column} LIKE ? ESCAPE '!'`, [patternOf(search)]);
    }
  });
}
