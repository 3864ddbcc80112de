import type { Clock } from '../platform/clock.js';
import type { RandomBytes } from '../platform/random.js';
import { bindInstallation, type InstallationKeys, readFingerprint } from '../secret/installation.js';
import { type ConfiguredSecret, loadSecret } from '../secret/load-secret.js';
import { followDatabaseClock } from '../storage/database-clock.js';
import { type DatabaseLocation, openStorage } from '../storage/open-storage.js';
import { sqliteFileIn } from '../storage/sqlite/database-file.js';
import type { Storage } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import { createTokens, type Tokens } from '../tokens/tokens.js';

interface InstallationOptions {
  readonly dataDir: string;
  /** The PostgreSQL database; if undefined, SQLite in the data folder. */
  readonly databaseUrl?: string | undefined;
  /** The secret as configured; if undefined, the one in the data folder, which is created for a new installation. */
  readonly secret?: ConfiguredSecret | undefined;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly randomBytes: RandomBytes;
  readonly log?: (message: string) => void;
  /** Whether to throw a NoInstallationError instead of creating an installation. */
  readonly mustExist?: boolean;
}

/** A database and the keys that belong to it. Closing the storage also ends the reading of the database's clock. */
export interface OpenedInstallation extends InstallationKeys {
  readonly storage: Storage;
  /** The clock that all servers on this database use. */
  readonly clock: Clock;
  /** Sentences that tell the operator what to fix. */
  readonly warnings: readonly string[];
}

const databaseLocationOf = ({ dataDir, databaseUrl }: InstallationOptions): DatabaseLocation =>
  databaseUrl === undefined ? { file: sqliteFileIn(dataDir) } : { url: databaseUrl };

/** Follows the clock of the database if it is PostgreSQL; for SQLite, uses `options.clock`. */
async function openClock(storage: Storage, options: InstallationOptions) {
  const { readTimeMs } = storage;
  if (readTimeMs === undefined) return { clock: options.clock, stop: () => undefined };
  return followDatabaseClock({
    readTimeMs,
    monotonicMs: options.monotonicMs,
    onError: () =>
      options.log?.('The clock of the database cannot be read; the time goes on by the last reading.'),
  });
}

/**
 * Opens the database with its secret. Unless `mustExist` is set, sets up a new database, and creates its secret if none
 * is configured. Throws a ServiceError that says what to do if the database or the secret is damaged or missing, or if
 * they do not belong together.
 */
export async function openInstallation(options: InstallationOptions): Promise<OpenedInstallation> {
  const { dataDir, secret: configured, randomBytes, log, mustExist = false } = options;
  const storage = await openStorage({
    ...databaseLocationOf(options),
    mustExist,
    ...(log === undefined ? {} : { log }),
  });
  let stopClock: () => void = () => undefined;
  const close = async () => {
    stopClock();
    await storage.close();
  };
  try {
    const followed = await openClock(storage, options);
    stopClock = () => followed.stop();
    const { clock } = followed;
    const fingerprint = await readFingerprint(storage.db);
    const { secret, warnings } = await loadSecret({ configured, dataDir, fingerprint, randomBytes });
    const keys = await bindInstallation(storage.db, secret, { clock, randomBytes });
    return { ...keys, storage: { ...storage, close }, clock, warnings };
  } catch (error) {
    await close();
    throw error;
  }
}

interface TokensDeps {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly throttle: Throttle;
  /** The public address of the server, without a slash at the end. */
  readonly issuer: () => string;
}

/** Opens the tokens of an installation with prepared queries of their own, which `close` closes. */
export async function openTokens(
  { storage, refreshTokenPepper, keyEncryptionKey }: OpenedInstallation,
  deps: TokensDeps,
): Promise<{ readonly tokens: Tokens; readonly close: () => Promise<void> }> {
  const queries = await storage.openPreparedQueries();
  const tokens = createTokens({
    ...deps,
    db: storage.db,
    queries,
    refreshTokenPepper,
    keyEncryptionKey,
  });
  return { tokens, close: () => queries.close() };
}
