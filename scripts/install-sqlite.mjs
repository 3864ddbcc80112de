import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { root } from './root.mjs';
import { startStep } from './run-step.mjs';

/**
 * SQLite is compiled if there is no prebuilt binary, and that is most of the wait at a first start: 105 s with the
 * flags of its package, 80 s with -O2 as in its own makefile, 50 s with compiler warnings off as well, and 27 s with
 * -O1. SQLite then uses 13 % more processor time than with -O2, which is about 1 % of a lookup.
 */
const BUILD = { JOBS: 'max', CFLAGS: '-O1 -Wno-all -Wno-extra' };
const BINARY = 'node_modules/sqlite3/build/Release/node_sqlite3.node';
const folder = join(root, '.cache', 'sqlite');

/**
 * Removes a folder, and tries again if it fails: a compiler that was interrupted may still write there for a moment.
 */
const remove = (path) => rmSync(path, { recursive: true, force: true, maxRetries: 5 });

export const hasSqlite = () => existsSync(join(root, BINARY));

/**
 * Starts to install SQLite in a folder of its own, because npm would compile it only after all other packages are
 * there. Returns a function that waits until it is compiled, and copies the binary to the other packages.
 */
export function startSqlite(lock, advice) {
  remove(folder);
  mkdirSync(folder, { recursive: true });
  const packages = sqlitePackages(lock.packages);
  const dependencies = { sqlite3: packages['node_modules/sqlite3'].version };
  const write = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content));
  write('package.json', { private: true, dependencies, allowScripts: { sqlite3: true } });
  write('package-lock.json', {
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: { '': { dependencies }, ...packages },
  });
  // This file may name a registry.
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'));
  const finish = startStep({
    title: 'Installing SQLite',
    ...npm(['ci']),
    cwd: folder,
    env: { ...BUILD, ...process.env },
    advice,
  });
  return async () => {
    await finish();
    // There is no binary if npm is set to run no scripts.
    const binary = join(folder, BINARY);
    if (existsSync(binary)) {
      // Renamed when it is complete, because a part of it would count as installed.
      cpSync(binary, join(root, `${BINARY}.partial`));
      renameSync(join(root, `${BINARY}.partial`), join(root, BINARY));
    }
    remove(folder);
  };
}

/** SQLite and the packages that it needs, from those of a lock file. */
function sqlitePackages(packages) {
  const needed = {};
  const add = (path) => {
    if (path === undefined || needed[path] !== undefined) return;
    needed[path] = packages[path];
    const { dependencies, optionalDependencies } = packages[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      add(pathOf(packages, name, path));
  };
  add('node_modules/sqlite3');
  return needed;
}

/** The path at which Node.js finds a package that `from` imports; undefined if the lock file does not contain it. */
function pathOf(packages, name, from) {
  const path = `${from}/node_modules/${name}`;
  if (packages[path] !== undefined) return path;
  const inside = from.lastIndexOf('/node_modules/');
  if (inside !== -1) return pathOf(packages, name, from.slice(0, inside));
  return packages[`node_modules/${name}`] === undefined ? undefined : `node_modules/${name}`;
}
