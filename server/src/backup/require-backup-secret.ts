import type { KeyObject } from 'node:crypto';
import type { RandomBytes } from '../random-bytes.js';
import { secretFingerprint } from '../secret/installation.js';
import { loadSecret, secretVariable } from '../secret/load-secret.js';
import { ServiceError } from '../service-error.js';
import { fileExists, secretFileOf, type BackupPlace } from './backup-place.js';

/** The secret of this installation, which must be the one that a backup was made with; never makes one. */
export async function requireBackupSecret(
  place: BackupPlace,
  fingerprint: string,
  randomBytes: RandomBytes,
): Promise<KeyObject> {
  const path = secretFileOf(place);
  if (place.secret === undefined && !(await fileExists(path))) {
    throw new ServiceError(
      'invalidRequest',
      `The secret that the backup belongs to is missing. Put the file "secret" that was kept apart from the backup at ` +
        `${path}, or set SIGNPOST_SECRET or SIGNPOST_SECRET_FILE as it was configured. Nothing was changed.`,
    );
  }
  const { secret } = await loadSecret({
    configured: place.secret,
    dataDir: place.dataDir,
    fingerprint,
    randomBytes,
  });
  if (secretFingerprint(secret) === fingerprint) return secret;
  const where = place.secret === undefined ? `the file ${path}` : secretVariable(place.secret);
  throw new ServiceError(
    'invalidRequest',
    `The backup belongs to another secret than the one in ${where}. Restore it with the secret that the backed up ` +
      'installation had, into an empty data folder or an empty database. Nothing was changed.',
  );
}
