import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../fixtures/free-port.js';
import { n8nEnvironment, spawnN8n, type Ended, type Line } from './n8n-process.js';
import { unpackPackage } from './packed-package.js';

const START_GIVE_UP_MS = 90_000;
const LOOK_EVERY_MS = 50;

const OWNER = {
  email: 'owner@example.com',
  firstName: 'Olive',
  lastName: 'Owner',
  password: 'Only-for-this-1',
} as const;

/** A real n8n with the packed package of nodes installed, in a folder of its own. */
export interface RunningN8n {
  readonly url: string;
  /** The value of the session cookie of n8n's owner. */
  readonly session: string;
  /** Runs n8n's command line on the same folder until the command ends. */
  command(...words: string[]): Promise<Ended>;
  /** Like `command`, with these additional environment variables. */
  commandWith(variables: Readonly<Record<string, string>>, ...words: string[]): Promise<Ended>;
  importFile(kind: 'workflow', content: unknown): Promise<void>;
  /** Sends a request to n8n's own API as its owner. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

const running = new Map<Line, Promise<RunningN8n>>();

/** Returns the n8n that all test files of a run share, because it takes long to start. It ends with this process. */
export function runningN8n(line: Line): Promise<RunningN8n> {
  const found = running.get(line) ?? start(line);
  running.set(line, found);
  return found;
}

async function start(line: Line): Promise<RunningN8n> {
  const folder = await mkdtemp(join(tmpdir(), 'signpost-n8n-'));
  await unpackPackage(join(folder, '.n8n/nodes/node_modules/n8n-nodes-signpost'));
  const environment = await n8nEnvironment(folder, line);
  const server = spawnN8n(line, ['start'], environment);
  server.unref();
  process.once('exit', () => {
    server.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const url = `http://127.0.0.1:${environment.N8N_PORT ?? ''}`;
  await answersAt(url, server);
  const session = await setUpOwner(url);
  const commandWith: RunningN8n['commandWith'] = async (variables, ...words) => {
    // The command needs a port of its own, because n8n's server runs at the same time.
    const own = { N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
    return spawnN8n(line, words, { ...environment, ...own, ...variables }).ended;
  };
  const command = (...words: string[]) => commandWith({}, ...words);
  return {
    url,
    session,
    command,
    commandWith,
    async importFile(kind, content) {
      const file = join(folder, `${kind}.json`);
      await writeFile(file, JSON.stringify(content));
      const { code, output } = await command(`import:${kind}`, `--input=${file}`);
      if (code !== 0 || !output.includes('Successfully imported')) throw new Error(output);
    },
    request: (path, init = {}) =>
      fetch(`${url}/rest${path}`, {
        ...init,
        headers: { Cookie: `n8n-auth=${session}`, 'Content-Type': 'application/json' },
      }),
  };
}

const isOk = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Waits for n8n and for its own API, because older versions say that they are ready before the API is. Throws after 90
 * seconds, or if n8n exits.
 */
async function answersAt(url: string, server: ReturnType<typeof spawnN8n>): Promise<void> {
  const giveUpAtMs = Date.now() + START_GIVE_UP_MS;
  for (;;) {
    if ((await isOk(`${url}/healthz/readiness`)) && (await isOk(`${url}/rest/settings`))) return;
    if (server.child.exitCode !== null || Date.now() > giveUpAtMs)
      throw new Error(`n8n does not start:\n${server.output()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function setUpOwner(url: string): Promise<string> {
  const response = await fetch(`${url}/rest/owner/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(OWNER),
  });
  const session = /n8n-auth=([^;]+)/u.exec(response.headers.get('set-cookie') ?? '')?.[1];
  if (session === undefined) throw new Error(`n8n takes no owner: ${await response.text()}`);
  return session;
}
