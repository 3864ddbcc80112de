import { z } from 'zod';
import type { Database, Dialect } from './storage.js';

const client = z.object({ dialect: z.enum(['sqlite3', 'postgresql']) });

/** The engine behind a database, for the few statements that no builder writes the same for both. */
export const dialectOf = (db: Database): Dialect =>
  client.parse(db.client).dialect === 'postgresql' ? 'postgresql' : 'sqlite';
