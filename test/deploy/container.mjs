import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';

/** Where the folder of the run is seen inside the root that has the tools. */
const SEEN_AT = '/run-folder';
const LAST_OUTPUT = 1_500;
const RUNTIME = ['crun', '--root', '/run/crun', '--cgroup-manager', 'disabled'];

/**
 * Not chroot: in one, nobody can make a user namespace, and so no browser has its sandbox. The root becomes that of a
 * mount namespace of its own, as a container's is, with nothing of this machine's files but the folder of the run.
 */
const PIVOT = `
set -e
mount --bind "$1" "$1"
mkdir -p "$1$3" "$1/old-root"
mount --bind "$2" "$1$3"
mount -t proc proc "$1/proc"
mount -t sysfs sysfs "$1/sys"
mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
mount -t tmpfs tmpfs "$1/run"
mount --bind /dev "$1/dev"
cd "$1"
pivot_root . old-root
umount -l old-root
echo
exec sleep infinity
`;

/** Makes that mount namespace, which lasts as long as a process that does nothing; answers its pid. */
async function holdRoot(toolsRoot, folder) {
  const words = ['--mount', '--propagation', 'private', 'sh', '-c', PIVOT, 'sh', toolsRoot, folder, SEEN_AT];
  const holder = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'exit').then(() => Promise.reject(new Error('The root of the tools could not be entered.'))),
  ]);
  return holder.pid;
}

/**
 * Starts containers with an OCI runtime in the root of the tools. A container answers what it printed, runs further
 * programs in itself as `docker exec` does, and is stopped by a signal with its exit code as the answer.
 */
export async function openRuntime({ folder, toolsRoot }) {
  const holder = await holdRoot(toolsRoot, folder);
  const inTools = (...words) => ['nsenter', [`--mount=/proc/${holder}/ns/mnt`, ...words]];
  const runtime = (...words) => inTools(...RUNTIME, ...words);
  const seen = (path) => path.replace(folder, SEEN_AT);

  return {
    seen,
    /** Runs a program among the tools. */
    tool: (...words) => runCommand(...inTools(...words)),
    async start(name, config) {
      const bundle = join(folder, 'bundles', name);
      mkdirSync(bundle, { recursive: true });
      writeFileSync(join(bundle, 'config.json'), JSON.stringify(config));
      const [command, words] = runtime('run', '--bundle', seen(bundle), name);
      const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => (output += text));
      const closed = once(child, 'close');
      const ended = closed.then(([code]) => {
        throw new Error(`It ended with ${code}:\n${output.slice(-LAST_OUTPUT)}`);
      });
      // Who waits for something else meanwhile need not look at it.
      ended.catch(() => undefined);
      return {
        output: () => output,
        /** Throws once it has ended. */
        ended,
        exec: (...program) => runCommand(...runtime('exec', name, ...program)),
        /** Sends a signal and waits for the end; answers the exit code. */
        async stop(signal) {
          await runCommand(...runtime('kill', name, signal));
          const [code] = await closed;
          return code;
        },
      };
    },
  };
}
