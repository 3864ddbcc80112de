import { CLI_ACTOR, createAudit } from '../audit/audit.js';
import {
  type InstallationLocation,
  databaseOf,
  fileExists,
  keepServersOut,
  sqliteFileOf,
  withDatabase,
} from '../backup/installation-location.js';
import type { Clock } from '../platform/clock.js';
import { NoInstallationError, ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import { bindInstallation, readFingerprint, secretFingerprint } from '../secret/installation.js';
import { loadSecret, readNewSecret } from '../secret/load-secret.js';
import { resealInstallation } from '../secret/reseal-installation.js';
import {
  keptSecretFile,
  nextSecretFile,
  readSecretFile,
  renameSecretFile,
  secretFileIn,
  writeSecretFile,
} from '../secret/secret-file.js';
import { claimIfUnused } from '../storage/postgresql/presence.js';
import type { Database, Storage } from '../storage/storage.js';

interface ReplacementOptions {
  readonly location: InstallationLocation;
  /** The file that holds the new secret. */
  readonly newSecretFile: string;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

export interface ReplacedSecret {
  /** The fingerprint of the old secret. Backups made until now need that secret. */
  readonly oldFingerprint: string;
  readonly newFingerprint: string;
  /** The file that keeps the old secret; undefined if the secret was configured: then the operator must keep it. */
  readonly keptFile: string | undefined;
}

const rejection = (message: string) => new ServiceError('invalidRequest', `${message} Nothing was changed.`);

async function rejectWhileInUse(transaction: Database): Promise<void> {
  if (await claimIfUnused(transaction)) return;
  throw rejection(
    'A server, or another command, uses this database. Stop every server first: it would go on with the old secret.',
  );
}

/** Writes the new secret, and a copy of the old one, into files beside the secret file. */
async function prepareFiles(path: string, text: string, oldFingerprint: string, randomBytes: RandomBytes) {
  const keptFile = keptSecretFile(path, oldFingerprint);
  const old = await readSecretFile(path);
  await writeSecretFile(keptFile, old?.text ?? '', randomBytes);
  await writeSecretFile(nextSecretFile(path), `${text}\n`, randomBytes);
  return keptFile;
}

async function replaceIn({ db, dialect }: Storage, options: ReplacementOptions): Promise<ReplacedSecret> {
  const { location, newSecretFile, clock, randomBytes } = options;
  const next = await readNewSecret(newSecretFile);
  const oldFingerprint = await readFingerprint(db);
  if (oldFingerprint === undefined) throw new NoInstallationError(location.dataDir);
  const { secret } = await loadSecret({
    configured: location.secret,
    dataDir: location.dataDir,
    fingerprint: oldFingerprint,
    randomBytes,
  });
  await bindInstallation(db, secret, { clock, randomBytes });
  const newFingerprint = secretFingerprint(next.secret);
  if (newFingerprint === oldFingerprint) {
    throw rejection(`The file ${newSecretFile} holds the secret that the installation has already.`);
  }

  const path = location.secret === undefined ? secretFileIn(location.dataDir) : undefined;
  // If the program crashes before the commit, the old secret stays valid; after the commit, the new one is. Unless the
  // secret is configured, each is in a file by then.
  const keptFile = await db.transaction(async (transaction) => {
    if (dialect === 'postgresql') await rejectWhileInUse(transaction);
    await resealInstallation(transaction, secret, next.secret, randomBytes);
    const audit = createAudit({ clock, randomBytes });
    await audit.record(transaction, CLI_ACTOR, { kind: 'secret.replaced' });
    // Writes the files inside the transaction, so that no other replacement uses them at the same time.
    return path === undefined ? undefined : prepareFiles(path, next.text, oldFingerprint, randomBytes);
  });
  if (path !== undefined) await renameSecretFile(nextSecretFile(path), path);
  return { oldFingerprint, newFingerprint, keptFile };
}

/**
 * Gives an installation another secret while no server runs, all or nothing. Keys, tokens and sessions stay valid.
 * Throws a ServiceError that says why the secret was not replaced.
 */
export async function replaceSecret(options: ReplacementOptions): Promise<ReplacedSecret> {
  const { location } = options;
  const replace = () =>
    withDatabase(databaseOf(location), (storage) => replaceIn(storage, options), { mustExist: true });
  if (location.databaseUrl !== undefined) return replace();
  if (!(await fileExists(sqliteFileOf(location)))) throw new NoInstallationError(location.dataDir);
  const serverLock = await keepServersOut(location, 'it would go on with the old secret');
  try {
    return await replace();
  } finally {
    await serverLock.release();
  }
}
