import { createHash } from 'node:crypto';
import pg from 'pg';
import type { PreparedQueries } from '../storage.js';
import { toUnavailable } from './postgresql-client.js';

/** Batches of the meter go one after another; only tokens ask for more than one statement at a time. */
const MAX_CONNECTIONS = 4;

interface Statement {
  /** Known to each connection by its name, which prepares it once. */
  readonly name: string;
  readonly text: string;
}

const NAME_CHARACTERS = 24;

/** The same for the same statement, in whichever pool: connections may be shared by a pooler between here and there. */
const nameOf = (sql: string) =>
  `signpost-${createHash('sha256').update(sql).digest('hex').slice(0, NAME_CHARACTERS)}`;

const numberPlaceholders = (sql: string) => {
  let number = 0;
  return sql.replaceAll('?', () => `$${(number += 1)}`);
};

/** Opens connections of their own, as they are needed; one that breaks is replaced at the next statement. */
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
