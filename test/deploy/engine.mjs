import { execFileSync } from 'node:child_process';
import { runCommand } from './run-command.mjs';

const ENGINES = ['podman', 'docker'];
/** The packages that podman needs on a Debian system without it. catatonit is podman's `--init`. */
const PACKAGES = ['podman', 'buildah', 'catatonit', 'crun', 'runc', 'mmdebstrap'];
/** Other checks may be installing packages at the same time. */
const WAIT_FOR_OTHERS = ['-o', 'DPkg::Lock::Timeout=600'];
const INSTALL = ['-qq', '-y', ...WAIT_FOR_OTHERS, '--no-install-recommends', 'install'];
/** Longer than the server takes to finish its captures. */
const STOP_SECONDS = 175;

const succeeds = (command, words) =>
  runCommand(command, words).then(
    () => true,
    () => false,
  );

/** True on a Debian machine where this process is root. */
export const isRootOnDebian = async () =>
  process.getuid?.() === 0 && (await succeeds('apt-get', ['--version']));

async function findCommand() {
  for (const name of ENGINES) if (await succeeds(name, ['info'])) return name;
  return undefined;
}

async function findOrInstallCommand() {
  const found = await findCommand();
  if (found !== undefined || !(await isRootOnDebian())) return found;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () => runCommand('apt-get', [...INSTALL, ...PACKAGES], { env });
  await install().catch(async () => {
    await runCommand('apt-get', ['-qq', 'update']);
    await install();
  });
  return findCommand();
}

/**
 * Options for machines whose control groups or networks do not suit the engine's defaults, such as a sandbox. Containers
 * then share the network of the host.
 */
const RESTRICTED = {
  engine: { podman: ['--runtime', 'runc'], docker: [] },
  run: ['--network=host', '--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024'],
};

/**
 * Finds podman or Docker, and installs podman on Debian as root. Returns undefined if there is no engine.
 *
 * `build`, `runOnce` and `start` take words of the command line. A container's `exec` returns what the program printed,
 * `output` what the container printed so far, and `stop` its exit code. `close` removes the containers and volumes of
 * this run.
 */
export async function openEngine() {
  const command = await findOrInstallCommand();
  if (command === undefined) return undefined;
  const isPodman = command === 'podman';
  const prefix = `signpost-deploy-${process.pid}`;
  const containers = [];
  const volumes = new Set();
  let engineOptions = [];
  let runOptions = [];
  const call = (...words) => runCommand(command, [...engineOptions, ...words]);

  return {
    name: command,
    call,
    /** True if containers have the host's network, so that ports are not published but used directly. */
    sharesNetwork: () => runOptions.includes('--network=host'),
    /** Finds out with which options this machine runs a container of an image. */
    async tryOut(image) {
      if (await succeeds(command, ['run', '--rm', image, 'true'])) return;
      engineOptions = RESTRICTED.engine[command];
      runOptions = RESTRICTED.run;
      await call('run', '--rm', ...runOptions, image, 'true');
    },
    build: (tag, ...words) =>
      // OCI's own format has no health check.
      call('build', ...(isPodman ? ['--isolation=chroot', '--format=docker'] : []), `--tag=${tag}`, ...words),
    /** Runs a program in a container of its own. Returns what it printed. */
    runOnce: (...words) => call('run', '--rm', ...runOptions, ...words),
    volume(name) {
      volumes.add(`${prefix}-${name}`);
      return `${prefix}-${name}`;
    },
    /** `network`, such as `none` or `container:NAME`, replaces the usual network. */
    async start(words, network) {
      const name = `${prefix}-${containers.length}`;
      containers.push(name);
      const options = runOptions.filter(
        (option) => network === undefined || !option.startsWith('--network='),
      );
      const networks = network === undefined ? [] : [`--network=${network}`];
      await call('run', '--detach', `--name=${name}`, ...options, ...networks, ...words);
      const inspect = async (format) => (await call('inspect', `--format=${format}`, name)).trim();
      return {
        name,
        pid: async () => Number(await inspect('{{.State.Pid}}')),
        exec: (...program) => call('exec', name, ...program),
        output: () => runCommand('sh', ['-c', `${command} logs ${name} 2>&1`]),
        async stop() {
          await call('stop', `--time=${STOP_SECONDS}`, name);
          return Number(await inspect('{{.State.ExitCode}}'));
        },
      };
    },
    /** Removes the containers and volumes. Synchronous, because it is also called while the process ends. */
    close() {
      const remove = (...words) => {
        try {
          execFileSync(command, words, { stdio: 'ignore' });
        } catch {
          // There is no container or volume of that name.
        }
      };
      if (containers.length > 0) remove('rm', '--force', ...containers);
      if (volumes.size > 0) remove('volume', 'rm', '--force', ...volumes);
    },
  };
}
