import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = '/usr/lib';
// Waits if another installation is running.
const INSTALL = ['-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '-qq', '--no-install-recommends'];

const isInPath = (program) =>
  (process.env.PATH ?? '').split(':').some((folder) => folder !== '' && existsSync(join(folder, program)));

/** Finds the faketime library. Debian keeps it in a folder named after the machine's architecture. */
function findFaketime() {
  if (!existsSync(LIBRARIES)) return undefined;
  return readdirSync(LIBRARIES)
    .map((folder) => join(LIBRARIES, folder, 'faketime/libfaketime.so.1'))
    .find((file) => existsSync(file));
}

const missingPackages = () => [
  ...(isInPath('haproxy') ? [] : ['haproxy']),
  ...(findFaketime() === undefined ? ['libfaketime'] : []),
];

function install(packages) {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words) =>
    execFileSync('apt-get', words, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    apt(...INSTALL, ...packages);
  } catch {
    apt('update', '-qq');
    apt(...INSTALL, ...packages);
  }
}

/**
 * Makes sure that the balancer and the library that shifts a program's clock are installed. Root installs them if they
 * are missing. Returns the library's path; throws an Error that says what to do if either is missing.
 */
export function clusterPrograms() {
  const missing = missingPackages();
  if (missing.length > 0 && process.getuid?.() === 0 && isInPath('apt-get')) install(missing);
  const stillMissing = missingPackages();
  const faketime = findFaketime();
  if (stillMissing.length > 0 || faketime === undefined) {
    throw new Error(
      `These tests need ${stillMissing.join(' and ')} of Debian or Ubuntu. Run: sudo apt-get install ${stillMissing.join(' ')}`,
    );
  }
  return { faketime };
}
