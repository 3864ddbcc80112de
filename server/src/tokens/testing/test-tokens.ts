import { createSecretKey } from 'node:crypto';
import type { Clock } from '../../clock.js';
import { systemRandomBytes } from '../../random-bytes.js';
import type { AccountRow, InstallationRow } from '../../storage/rows.js';
import type { Database } from '../../storage/storage.js';
import { createTestDatabase } from '../../storage/testing/test-database.js';
import type { Throttle } from '../../throttle/throttle.js';
import { createTokens, type Tokens } from '../tokens.js';

export const ISSUER = 'https://signpost.example';
export const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
export const MINUTE_MS = 60_000;

/** Tokens over a database of its own, with two accounts and a clock that stands until it is set. */
export interface TestTokens {
  readonly tokens: Tokens;
  readonly db: Database;
  /** All that is stored. */
  stored(): Promise<Buffer>;
  readonly maker: Parameters<typeof createTokens>[0];
  /** A second server on the same database. */
  another(): Promise<Tokens>;
  setClock(nowMs: number): void;
  change(accountId: string, change: Partial<AccountRow>): Promise<void>;
  close(): Promise<void>;
}

const account = (id: string, email: string): AccountRow => ({
  id,
  email,
  name: null,
  password_hash: 'x',
  is_operator: false,
  has_api_access: true,
  must_change_password: false,
  disabled_at: null,
  captures: null,
  created_at: 0,
});

/** The accounts are `acc_ada` and `acc_bob`; both have API access. */
export async function openTestTokens(
  createThrottle: (parts: { db: Database; clock: Clock }) => Throttle,
): Promise<TestTokens> {
  const database = await createTestDatabase();
  const storage = await database.open();
  let nowMs = START_MS;
  const clock = () => nowMs;
  await storage.db<InstallationRow>('installation').insert({ id: 1, secret_fingerprint: 'x', created_at: 0 });
  await storage
    .db<AccountRow>('accounts')
    .insert([account('acc_ada', 'ada@example.org'), account('acc_bob', 'bob@example.org')]);
  const opened = [await storage.openPreparedQueries()];
  const makerWith = (queries: (typeof opened)[number]) => ({
    db: storage.db,
    queries,
    clock,
    randomBytes: systemRandomBytes,
    throttle: createThrottle({ db: storage.db, clock }),
    issuer: () => ISSUER,
    refreshTokenPepper: createSecretKey(Buffer.alloc(32, 1)),
    keyEncryptionKey: createSecretKey(Buffer.alloc(32, 2)),
  });
  const [first] = opened;
  if (first === undefined) throw new Error('No connection.');
  const maker = makerWith(first);
  return {
    tokens: createTokens(maker),
    db: storage.db,
    stored: () => database.stored(),
    maker,
    async another() {
      const queries = await storage.openPreparedQueries();
      opened.push(queries);
      return createTokens(makerWith(queries));
    },
    setClock: (ms) => (nowMs = ms),
    async change(id, change) {
      await storage.db<AccountRow>('accounts').where({ id }).update(change);
    },
    async close() {
      for (const queries of opened) await queries.close();
      await storage.close();
      await database.remove();
    },
  };
}
