import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = '/usr/lib';
// Programs of administrators are often not in the path of an ordinary user.
const PROGRAM_FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];
// Waits for up to 120 seconds if another installation is running.
const INSTALL = ['-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '-qq', '--no-install-recommends'];

/** The path of a program; undefined if it is not installed. */
const findProgram = (program) =>
  PROGRAM_FOLDERS.filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

/** Finds the faketime library. Debian keeps it in a folder named after the machine's architecture. */
function findFaketime() {
  if (!existsSync(LIBRARIES)) return undefined;
  return readdirSync(LIBRARIES)
    .map((folder) => join(LIBRARIES, folder, 'faketime/libfaketime.so.1'))
    .find((file) => existsSync(file));
}

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
 * Makes sure that Debian packages are installed. `finders` has, by the name of each package, a function that finds its
 * file. Root installs missing packages. Returns the files; throws an Error that says what to do if one is missing.
 */
function requirePackages(finders) {
  const missing = () => Object.keys(finders).filter((name) => finders[name]() === undefined);
  if (missing().length > 0 && process.getuid?.() === 0 && findProgram('apt-get') !== undefined)
    install(missing());
  const names = missing();
  if (names.length > 0) {
    throw new Error(
      `These tests need ${names.join(' and ')} of Debian or Ubuntu. Run: sudo apt-get install ${names.join(' ')}`,
    );
  }
  return Object.fromEntries(Object.entries(finders).map(([name, find]) => [name, find()]));
}

/**
 * Makes sure that the balancer is installed, and the library that shifts a program's clock. Returns the path of the
 * library as `faketime`.
 */
export function clusterPrograms() {
  const found = requirePackages({ haproxy: () => findProgram('haproxy'), libfaketime: findFaketime });
  return { faketime: found.libfaketime };
}

/**
 * Makes sure that a proxy for outgoing requests is installed, and the program that makes a browser trust an authority.
 * Returns the path of the proxy as `squid`.
 */
export function companyNetworkPrograms() {
  const found = requirePackages({
    squid: () => findProgram('squid'),
    'libnss3-tools': () => findProgram('certutil'),
  });
  return { squid: found.squid };
}
