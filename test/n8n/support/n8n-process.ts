import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { dirname, delimiter } from 'node:path';
import { freePort } from '../../fixtures/free-port.js';

/** The paths of Node.js and of the program of n8n, in the cache folder. */
interface Installation {
  readonly node: string;
  readonly program: string;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** A supported version of n8n. */
export type Line = 'newest' | 'oldest';

const PREFIX = { newest: 'SIGNPOST_N8N', oldest: 'SIGNPOST_N8N_OLDEST' } as const;

/** The n8n that the variables of `npm run test:n8n` name. Throws if they are not set. */
function installation(line: Line): Installation {
  const { [`${PREFIX[line]}_NODE`]: node, [`${PREFIX[line]}_PROGRAM`]: program } = process.env;
  if (node === undefined || program === undefined)
    throw new Error('There is no n8n to test with. Start these tests by "npm run test:n8n".');
  return { node, program };
}

/** The environment of an n8n that keeps to itself: everything in one folder, nothing sent anywhere. */
export async function n8nEnvironment(folder: string, line: Line): Promise<Readonly<Record<string, string>>> {
  return {
    PATH: `${dirname(installation(line).node)}${delimiter}${process.env.PATH ?? ''}`,
    HOME: folder,
    N8N_USER_FOLDER: folder,
    N8N_ENCRYPTION_KEY: 'only-for-this-test',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PORT: String(await freePort()),
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    N8N_SECURE_COOKIE: 'false',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    N8N_LOG_LEVEL: 'info',
    NO_COLOR: '1',
  };
}

/** Starts n8n with these arguments. `output()` is everything that it has printed so far. */
export function spawnN8n(
  line: Line,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): {
  child: ChildProcess;
  output: () => string;
  ended: Promise<Ended>;
  /** Lets this process end while n8n is still running. */
  unref: () => void;
} {
  const { node, program } = installation(line);
  const child = spawn(node, [program, ...words], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
  const unref = () => {
    child.unref();
    for (const stream of streams) if (stream instanceof Socket) stream.unref();
  };
  return { child, output: () => output, ended, unref };
}
