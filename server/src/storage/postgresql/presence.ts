import pg from 'pg';
import { z } from 'zod';
import type { Database } from '../storage.js';
import { toUnavailable } from './postgresql-client.js';

/**
 * The PostgreSQL lock that processes share while they use the installation's secret, so that it is not replaced
 * meanwhile. An arbitrary number.
 */
const IN_USE_LOCK = 0x53_67_6e_75;

const timeRow = z.object({ ms: z.number() });
const claimed = z.object({ rows: z.tuple([z.object({ claimed: z.boolean() })]) });

/** The connection that shows other processes that this one uses the installation's keys. */
export interface Presence {
  /** Milliseconds since the epoch on the clock of the database's machine. */
  readTimeMs(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Shows other processes that the installation's keys are in use, from the first reading of the time until `close`. A
 * broken connection is replaced at the next reading.
 */
export function openPresence(settings: pg.ClientConfig, log: (message: string) => void): Presence {
  const pool = new pg.Pool({
    ...settings,
    max: 1,
    idleTimeoutMillis: 0,
    verify: (client, done) => {
      client.query('SELECT pg_advisory_lock_shared($1)', [IN_USE_LOCK]).then(
        () => done(),
        (error: unknown) => done(error instanceof Error ? error : new Error('The lock cannot be taken.')),
      );
    },
  });
  pool.on('error', (error) => log(`A connection to the database broke: ${error.message}`));
  return {
    async readTimeMs() {
      const { rows } = await pool
        .query('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms')
        .catch((error: unknown) => {
          throw toUnavailable(error);
        });
      return timeRow.parse(rows[0]).ms;
    },
    close: () => pool.end(),
  };
}

/**
 * Prevents all processes from starting to use the installation's keys until the transaction ends. Returns false, and
 * prevents nothing, if a process (even this one) is using them.
 */
export async function claimIfUnused(transaction: Database): Promise<boolean> {
  const answer: unknown = await transaction.raw('SELECT pg_try_advisory_xact_lock(?) AS claimed', [
    IN_USE_LOCK,
  ]);
  return claimed.parse(answer).rows[0].claimed;
}
