import type { Knex } from 'knex';

/** No stored text is as long, so that a search that is finds nothing and costs nothing. */
const MAX_SEARCH_CHARACTERS = 300;

const patternOf = (text: string) => `%${text.replace(/[!%_]/gu, '!$&')}%`;

/**
 * Lets those rows through of which a column contains the text, in any case; every character stands for itself. The
 * engines lower the case of ASCII alone, or of all letters; as it was typed a text is found in both.
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
