import type { Statement } from 'sqlite3';
import type { PreparedQueries } from '../storage.js';
import { closeConnection, configureConnection, openConnection, type Connection } from './connection.js';

const prepare = (connection: Connection, sql: string) =>
  new Promise<Statement>((resolve, reject) => {
    const statement = connection.prepare(sql, (error) => {
      if (error === null) resolve(statement);
      else reject(error);
    });
  });

/**
 * Opens a separate connection to an existing SQLite file. The query builder would prepare a statement anew
 * for each run, which takes longer than running it.
 */
export async function openSqliteQueries(file: string): Promise<PreparedQueries> {
  const connection = await openConnection(file, 'write');
  await configureConnection(connection);
  const statements = new Map<string, Promise<Statement>>();

  const statementFor = (sql: string) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = prepare(connection, sql);
      statement.catch(() => statements.delete(sql));
      statements.set(sql, statement);
    }
    return statement;
  };

  return {
    async all<Row>(sql: string, bindings: readonly (number | string)[]) {
      const statement = await statementFor(sql);
      return new Promise<readonly Row[]>((resolve, reject) => {
        statement.all<Row>(bindings, (error, rows) => {
          if (error === null) resolve(rows);
          // A statement that failed because of a lock stays active until it is reset, and no later statement would
          // be committed.
          else statement.reset(() => reject(error));
        });
      });
    },
    async close() {
      for (const statement of statements.values()) {
        const prepared = await statement;
        await new Promise<void>((resolve) => prepared.finalize(() => resolve()));
      }
      await closeConnection(connection);
    },
  };
}
