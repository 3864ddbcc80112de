import { mkdirSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';

/** Mounts what programs in a root expect; everything goes with the mount namespace of the run. */
export async function mountSystem(root, binds = []) {
  await runCommand('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  await runCommand('mount', ['--bind', '/dev', join(root, 'dev')]);
  for (const { source, target, isFile = false } of binds) {
    const path = join(root, target);
    if (isFile && !existsSync(path)) writeFileSync(path, '');
    if (!isFile) mkdirSync(path, { recursive: true });
    await runCommand('mount', ['--bind', source, path]);
  }
}

/** Unmounts all that `mountSystem` mounted in a root, so that the root can be copied or used as an image. */
export async function unmountSystem(root, binds = []) {
  for (const target of [...binds.map((bind) => bind.target).toReversed(), 'dev', 'proc'])
    await runCommand('umount', [join(root, target)]);
}

/** Runs a program in a root with nothing but the environment given. */
export const runInRoot = (root, words, environment = {}) =>
  runCommand('chroot', [root, ...words], {
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...environment },
  });

/** Installs packages of Debian in a root. */
export async function installInRoot(root, packages) {
  const environment = { DEBIAN_FRONTEND: 'noninteractive' };
  await runInRoot(root, ['apt-get', '-qq', 'update'], environment);
  const options = ['-qq', '-y', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-unsafe-io'];
  await runInRoot(root, ['apt-get', ...options, 'install', ...packages], environment);
}
