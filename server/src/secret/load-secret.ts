import { createSecretKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { RandomBytes } from '../random-bytes.js';
import { ServiceError } from '../service-error.js';
import { parseSecret } from './parse-secret.js';
import { createSecretFile, readSecretFile } from './secret-file.js';

/** The secret itself, or the file that was named as holding it. */
export type ConfiguredSecret = string | { readonly file: string };

/** The variable that configured it. */
export const secretVariable = (configured: ConfiguredSecret): string =>
  typeof configured === 'string' ? 'SIGNPOST_SECRET' : 'SIGNPOST_SECRET_FILE';

interface SecretOptions {
  /** As configured; without it the file `secret` in the data folder holds the secret. */
  readonly configured?: ConfiguredSecret | undefined;
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

const EXAMPLE = 'random characters, for example those that "openssl rand -base64 32" prints.';
const groupAndOthers = 0o077;
/** Files of container engines are often readable by all there. */
const writableByGroupAndOthers = 0o022;

const asKey = (text: string) => createSecretKey(Buffer.from(text, 'utf8'));

async function loadNamedFile(path: string): Promise<LoadedSecret> {
  const file = await readSecretFile(path);
  if (file === undefined) {
    throw new ServiceError(
      'invalidRequest',
      `The file ${path} that SIGNPOST_SECRET_FILE names is not there. Put the secret there, or name another file.`,
    );
  }
  const secret = parseSecret(
    file.text,
    (problem) => `The secret in the file ${path} (SIGNPOST_SECRET_FILE) ${problem}. Put ${EXAMPLE}`,
  );
  const isOpen = (file.mode & writableByGroupAndOthers) !== 0;
  const warnings = isOpen
    ? [`Other users of this machine can change the secret file ${path}. Run: chmod go-w ${path}`]
    : [];
  return { secret: asKey(secret), warnings };
}

async function loadOwnFile({
  dataDir,
  isNewInstallation,
  randomBytes,
}: SecretOptions): Promise<LoadedSecret> {
  const path = join(dataDir, 'secret');
  let file = await readSecretFile(path);
  if (file === undefined && isNewInstallation) {
    await createSecretFile(path, randomBytes);
    file = await readSecretFile(path);
  }
  if (file === undefined) {
    throw new ServiceError(
      'internal',
      `The secret that this database was set up with is missing. Put the file ${path} back from a backup, or set ` +
        'SIGNPOST_SECRET or SIGNPOST_SECRET_FILE if it was configured.',
    );
  }
  const secret = parseSecret(
    file.text,
    (problem) =>
      `The secret file ${path} does not hold a secret any more: what is in it ${problem}. Put it back from a backup: ` +
      'without it the keys in the database cannot be checked.',
  );
  const isOpen = (file.mode & groupAndOthers) !== 0;
  const warnings = isOpen
    ? [`Other users of this machine can read or change the secret file ${path}. Run: chmod 600 ${path}`]
    : [];
  return { secret: asKey(secret), warnings };
}

/** Finds or makes the installation's secret; throws a ServiceError that says what is wrong with it. */
export async function loadSecret(options: SecretOptions): Promise<LoadedSecret> {
  const { configured } = options;
  if (configured === undefined) return loadOwnFile(options);
  if (typeof configured !== 'string') return loadNamedFile(configured.file);
  const secret = parseSecret(
    configured,
    (problem) => `The secret (SIGNPOST_SECRET) ${problem}. Set it to ${EXAMPLE}`,
  );
  return { secret: asKey(secret), warnings: [] };
}
