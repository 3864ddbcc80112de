import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, ServiceError } from '../../platform/errors.js';
import { homeFolder } from '../../platform/folders.js';
import { readExtraCertificates } from '../../platform/outbound/trusted-certificates.js';
import { installCommand, readSystemFamily, type SystemFamily } from '../../platform/system-packages.js';

const run = promisify(execFile);

const TIMEOUT_MS = 10_000;
/** The folder in the home folder in which Chromium on Linux looks for certificates that its user trusts. */
const DATABASE = join('.pki', 'nssdb');
const LINKED = ['.fonts', '.local', '.config', '.cache'];
const CERTUTIL_PACKAGES: Readonly<Record<SystemFamily, string>> = {
  debian: 'libnss3-tools',
  alpine: 'nss-tools',
  fedora: 'nss-tools',
  other: 'libnss3-tools (Debian) or nss-tools',
};

/**
 * The error that says why the browser does not trust the certificates of SIGNPOST_EXTRA_CA_FILE, or how to install a
 * missing certutil.
 */
async function explain(error: unknown): Promise<ServiceError> {
  const isMissing = errorCode(error) === 'ENOENT';
  const family = await readSystemFamily();
  const cure = `The program "certutil" is needed. On the server: ${installCommand(family, [CERTUTIL_PACKAGES[family]])}.`;
  const why = error instanceof Error ? error.message : String(error);
  return new ServiceError(
    'internal',
    `The browser cannot be made to trust SIGNPOST_EXTRA_CA_FILE. ${isMissing ? cure : why}`,
    { cause: error, reason: 'certificate' },
  );
}

/**
 * Creates a home folder in which Chromium finds the extra certificates, in addition to those in the user's own home
 * folder. Throws a ServiceError if that is not possible.
 */
export async function makeBrowserHome(folder: string, extraCaFile: string): Promise<void> {
  const certificates = readExtraCertificates(extraCaFile);
  const database = join(folder, DATABASE);
  const usersHome = homeFolder();
  const certutil = (...words: string[]) =>
    run('certutil', ['-d', `sql:${database}`, ...words], { timeout: TIMEOUT_MS });
  try {
    await mkdir(database, { recursive: true, mode: 0o700 });
    const isCopied =
      usersHome !== undefined &&
      (await cp(join(usersHome, DATABASE), database, { recursive: true }).then(
        () => true,
        () => false,
      ));
    if (!isCopied) await certutil('-N', '--empty-password');
    for (const [index, certificate] of certificates.entries()) {
      const file = join(folder, `authority-${index}.pem`);
      await writeFile(file, certificate);
      // The browser trusts the certificate only as the issuer of certificates of servers.
      await certutil('-A', '-n', `signpost-${index}`, '-t', 'C,,', '-i', file);
    }
    // Links the user's own fonts, settings and caches.
    if (usersHome !== undefined)
      for (const name of LINKED) await symlink(join(usersHome, name), join(folder, name));
  } catch (error) {
    throw await explain(error);
  }
}

/** The command line that starts a program with another home folder. */
export const commandWithHome = (
  folder: string,
  program: string,
): readonly [command: string, ...words: string[]] => ['env', `HOME=${folder}`, program];
