import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from './clock.js';
import type { RandomBytes } from './random-bytes.js';
import { deriveKey } from './secret/derive-key.js';
import { bindInstallation, hasInstallation } from './secret/installation.js';
import { loadSecret } from './secret/load-secret.js';
import { openStorage } from './storage/open-storage.js';
import type { Storage } from './storage/storage.js';

interface InstallationOptions {
  readonly dataDir: string;
  /** The secret as configured; made and kept in the data folder where it is not. */
  readonly secret?: string | undefined;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly log?: (message: string) => void;
}

/** A database and the keys that belong to it; closing the storage closes all of it. */
export interface OpenedInstallation {
  readonly storage: Storage;
  /** The key under which API keys are hashed. */
  readonly keyPepper: KeyObject;
  /** The key under which refresh tokens are hashed. */
  readonly refreshTokenPepper: KeyObject;
  /** The key under which the stored keys for signing and encryption are encrypted. */
  readonly keyEncryptionKey: KeyObject;
  /** The key under which the tokens of the console's forms are made. */
  readonly formKey: KeyObject;
  /** Sentences for the operator about what should be put right. */
  readonly warnings: readonly string[];
}

/**
 * Opens the database in the data folder with its secret, making both in an empty folder. Throws a ServiceError that
 * says what to do where either is damaged, missing, or not the other's.
 */
export async function openInstallation(options: InstallationOptions): Promise<OpenedInstallation> {
  const { dataDir, secret: configured, clock, randomBytes, log } = options;
  const storage = await openStorage({
    file: join(dataDir, 'signpost.db'),
    ...(log === undefined ? {} : { log }),
  });
  try {
    const isNewInstallation = !(await hasInstallation(storage.db));
    const { secret, warnings } = await loadSecret({ configured, dataDir, isNewInstallation, randomBytes });
    await bindInstallation(storage.db, secret, clock);
    return {
      storage,
      keyPepper: deriveKey(secret, 'key-pepper'),
      refreshTokenPepper: deriveKey(secret, 'refresh-token-pepper'),
      keyEncryptionKey: deriveKey(secret, 'key-encryption'),
      formKey: deriveKey(secret, 'form-tokens'),
      warnings,
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}
