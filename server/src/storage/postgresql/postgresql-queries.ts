import { createHash } from 'node:crypto';
import pg from 'pg';
import type { PreparedQueries } from '../storage.js';
import { toUnavailable } from './postgresql-client.js';

/** The most connections of one pool. */
const MAX_CONNECTIONS = 4;

interface Statement {
  /** Each connection prepares a statement once under this name. */
  readonly name: string;
  readonly text: string;
}

const NAME_CHARACTERS = 24;

/**
 * The name depends only on the statement, so it is the same in every pool: a pooler may share connections between
 * pools.
 */
const nameOf = (sql: string) =>
  `signpost-${createHash('sha256').update(sql).digest('hex').slice(0, NAME_CHARACTERS)}`;

const numberPlaceholders = (sql: string) => {
  let number = 0;
  return sql.replaceAll('?', () => `$${(number += 1)}`);
};

/** Opens connections apart from the query builder's, as needed. A broken one is replaced at the next statement. */
export function openPostgresqlQueries(
  settings: pg.ClientConfig,
  log: (message: string) => void,
): PreparedQueries {
  const pool = new pg.Pool({ ...settings, max: MAX_CONNECTIONS });
  pool.on('error', (error) => log(`A connection to the database broke: ${error.message}`));
  const statements = new Map<string, Statement>();

  const statementOf = (sql: string) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = { name: nameOf(sql), text: numberPlaceholders(sql) };
      statements.set(sql, statement);
    }
    return statement;
  };

  return {
    async all<Row>(sql: string, bindings: readonly (number | string)[]) {
      const query = { ...statementOf(sql), values: [...bindings] };
      const { rows } = await pool.query<Row & pg.QueryResultRow>(query).catch((error: unknown) => {
        throw toUnavailable(error);
      });
      return rows;
    },
    close: () => pool.end(),
  };
}
