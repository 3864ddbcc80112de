import sqlite3 from 'sqlite3';
import type { PreparedQueries } from '../storage.js';
import { configureConnection } from './connection.js';

const openDatabase = (file: string) =>
  new Promise<sqlite3.Database>((resolve, reject) => {
    const database = new sqlite3.Database(file, sqlite3.OPEN_READWRITE, (error) => {
      if (error === null) resolve(database);
      else reject(error);
    });
  });

const prepare = (database: sqlite3.Database, sql: string) =>
  new Promise<sqlite3.Statement>((resolve, reject) => {
    const statement = database.prepare(sql, (error) => {
      if (error === null) resolve(statement);
      else reject(error);
    });
  });

/**
 * Opens a connection of its own to a SQLite file that exists. Going through the query builder would prepare a
 * statement anew for each run, which takes longer than running it.
 */
export async function openSqliteQueries(file: string): Promise<PreparedQueries> {
  const database = await openDatabase(file);
  await configureConnection(database);
  const statements = new Map<string, Promise<sqlite3.Statement>>();

  const statementFor = (sql: string) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = prepare(database, sql);
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
          else reject(error);
        });
      });
    },
    async close() {
      for (const statement of statements.values()) {
        const prepared = await statement;
        await new Promise<void>((resolve) => prepared.finalize(() => resolve()));
      }
      await new Promise<void>((resolve, reject) => {
        database.close((error) => {
          if (error === null) resolve();
          else reject(error);
        });
      });
    },
  };
}
