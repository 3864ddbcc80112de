import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A loopback address where no other program on a test machine is likely to run a name server. */
export const NAME_SERVER_ADDRESS = '127.0.0.153';
export const NAME_SERVER_PORT = 53;

/** A command that runs another with its own hosts file, and a resolv.conf that names NAME_SERVER_ADDRESS. */
export interface OwnNames {
  readonly launcher: readonly string[];
  remove(): Promise<void>;
}

async function mayListen(): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(NAME_SERVER_PORT, NAME_SERVER_ADDRESS, resolve);
    });
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}

/** Prepares a command with this hosts file. Returns the reason, in words, if this machine or user cannot run it. */
export async function prepareOwnNames(hosts: string): Promise<OwnNames | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux can give a server a resolv.conf of its own';
  if (!(await mayListen())) return `nothing can listen on ${NAME_SERVER_ADDRESS}, port ${NAME_SERVER_PORT}`;
  const folder = await mkdtemp(join(tmpdir(), 'signpost-own-names-'));
  const files = { 'resolv.conf': `nameserver ${NAME_SERVER_ADDRESS}\n`, hosts };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const mounts = Object.keys(files).map((name) => `mount --bind ${join(folder, name)} /etc/${name}`);
  const launcher = ['unshare', '--mount', 'sh', '-c', `${mounts.join(' && ')} && exec "$0" "$@"`];
  const remove = () => rm(folder, { recursive: true });
  const [command = '', ...words] = launcher;
  try {
    await run(command, [...words, 'true']);
  } catch (error) {
    await remove();
    return `no mount namespace can be made here: ${error instanceof Error ? error.message : String(error)}`;
  }
  return { launcher, remove };
}
