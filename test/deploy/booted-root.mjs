import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { runCommand } from './run-command.mjs';
import { until } from './until.mjs';

/** Makes the folder of a root file system the root of its own namespaces, and boots systemd in it. */
const BOOT = `
set -e
mount --bind "$1" "$1"
cd "$1"
mkdir -p old-root
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs dev
for name in null zero full random urandom tty; do
  touch "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
touch dev/console
pivot_root . old-root
umount -l old-root
exec env -i container=oci PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --show-status=false
`;

const NAMESPACES = [
  '--uts',
  '--ipc',
  '--net',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount',
  '--propagation',
  'private',
];

/** Starts systemd in a root, with a network of its own that has no exit. `run` runs a program there. */
export async function bootRoot(root) {
  const words = [...NAMESPACES, 'sh', '-c', BOOT, 'sh', root];
  const child = spawn('unshare', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [init] = await until('systemd was started', () => {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
    return children !== '' && children.split(' ');
  });
  const run = (...program) =>
    runCommand('nsenter', ['--target', init, '--mount', '--pid', '--net', '--uts', '--ipc', ...program]);
  await until('systemd has booted', () => run('systemctl', 'is-active', 'multi-user.target'));
  return { run, powerOff: () => child.kill('SIGKILL') };
}
