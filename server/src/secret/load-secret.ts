import { createSecretKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { RandomBytes } from '../random-bytes.js';
import { ServiceError } from '../service-error.js';
import { checkSecret } from './check-secret.js';
import { createSecretFile, readSecretFile } from './secret-file.js';

interface SecretOptions {
  /** The secret as configured; without one the file `secret` in the data folder holds it. */
  readonly configured?: string | undefined;
  readonly dataDir: string;
  /** Whether to make a secret where there is none; not for a database that was set up with one already. */
  readonly isNewInstallation: boolean;
  readonly randomBytes: RandomBytes;
}

interface LoadedSecret {
  /** As a key object, which shows its value neither in a log nor in JSON. */
  readonly secret: KeyObject;
  readonly warnings: readonly string[];
}

const asKey = (text: string) => createSecretKey(Buffer.from(text, 'utf8'));

/** Finds or makes the installation's secret; throws a ServiceError that says what is wrong with it. */
export async function loadSecret(options: SecretOptions): Promise<LoadedSecret> {
  if (options.configured !== undefined) {
    checkSecret(options.configured);
    return { secret: asKey(options.configured), warnings: [] };
  }
  const path = join(options.dataDir, 'secret');
  let file = await readSecretFile(path);
  if (file === undefined && options.isNewInstallation) {
    await createSecretFile(path, options.randomBytes);
    file = await readSecretFile(path);
  }
  if (file === undefined) {
    throw new ServiceError(
      'internal',
      `The secret that this database was set up with is missing. Put the file ${path} back from a backup, or set ` +
        'SIGNPOST_SECRET if it was configured.',
    );
  }
  return { secret: asKey(file.text), warnings: file.warnings };
}
