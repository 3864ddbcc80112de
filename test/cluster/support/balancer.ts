import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../fixtures/wait-until.js';

const SHIPPED = join(import.meta.dirname, '../../../deploy/haproxy.cfg');
const LISTENS = /^( +bind ):8080$/mu;
const SERVERS = /^(?: +server \S+ \S+\n)+/mu;

/** The balancer's shipped configuration. Only its own port and the servers' addresses are changed. */
async function configurationFor(port: number, serverPorts: readonly number[]): Promise<string> {
  const shipped = await readFile(SHIPPED, 'utf8');
  if (!LISTENS.test(shipped) || !SERVERS.test(shipped)) throw new Error(`${SHIPPED} looks different by now.`);
  const servers = serverPorts.map(
    (server, index) => `    server signpost-${index + 1} 127.0.0.1:${server}\n`,
  );
  return shipped.replace(LISTENS, `$1127.0.0.1:${port}`).replace(SERVERS, servers.join(''));
}

/** The shipped balancer in front of servers on this machine. */
export interface Balancer {
  readonly url: string;
  /** Its log so far: requests that failed, and servers that went up or down. */
  log(): string;
  end(): Promise<void>;
}

/** Starts HAProxy and waits until it responds. The servers need not be up yet. */
export async function startBalancer(port: number, serverPorts: readonly number[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'signpost-balancer-'));
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, await configurationFor(port, serverPorts));
  // HAProxy runs in the foreground, so that it has ended when this child process has.
  const child = spawn('haproxy', ['-db', '-f', file], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  const read = (text: string) => (log += text);
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('the balancer answers', async () => {
    if (child.exitCode !== null) throw new Error(`The balancer ended:\n${log}`);
    const answer = await fetch(`${url}/balancer`).catch(() => undefined);
    return answer?.status === 200;
  });
  return {
    url,
    log: () => log,
    async end() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
