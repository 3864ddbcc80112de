import { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { registerAccountCommands } from '../../server/src/cli/account.js';
import { registerKeyCommands } from '../../server/src/cli/key.js';
import { registerProjectCommands } from '../../server/src/cli/project.js';
import { registerReturnUrlCommands } from '../../server/src/cli/return-url.js';
import { registerSecretCommands } from '../../server/src/cli/secret.js';
import { registerTokenCommands, type TokenContext } from '../../server/src/cli/token.js';
import { openInstallation, type OpenedInstallation } from '../../server/src/open-installation.js';
import { systemRandomBytes } from '../../server/src/random-bytes.js';
import { databaseVariables } from './database-of-folder.js';

type Program = Parameters<typeof registerKeyCommands>[0];

const clock = () => Date.UTC(2026, 0, 2, 3, 4, 5);

/** What `key create --json` prints that opens and names the key. */
export const createdKey = z.object({ key: z.string(), prefix: z.string() });

function capture() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

/**
 * The commands that need no running server, on one data folder, at 2026-01-02 03:04:05 UTC. Each run takes a new
 * program, because one keeps the options of its last run.
 */
export function commandLine(dataDir: string, newProgram: () => Program) {
  const openStorage = async (): Promise<OpenedInstallation> => {
    const { SIGNPOST_DATABASE_URL: databaseUrl, SIGNPOST_SECRET: secret } = await databaseVariables(dataDir);
    const surroundings = { clock, monotonicMs: () => 0, randomBytes: systemRandomBytes };
    const installation = await openInstallation({ ...surroundings, dataDir, databaseUrl, secret });
    return { ...installation, clock };
  };

  /** Runs one command line as the program would and answers what it printed. */
  const signpost = async (words: readonly string[], stdin: NodeJS.ReadableStream = Readable.from([])) => {
    const [stdout, stderr] = [capture(), capture()];
    const context: TokenContext = {
      stdout: stdout.stream,
      stderr: stderr.stream,
      stdin,
      clock,
      randomBytes: systemRandomBytes,
      openStorage,
      issuer: () => 'https://signpost.example',
    };
    const program = newProgram()
      .exitOverride()
      .configureOutput({
        writeOut: (text) => stdout.stream.write(text),
        writeErr: (text) => stderr.stream.write(text),
      });
    registerAccountCommands(program, context);
    registerProjectCommands(program, context);
    registerKeyCommands(program, context);
    registerTokenCommands(program, context);
    registerReturnUrlCommands(program, context);
    registerSecretCommands(program, context);
    const error = await program.parseAsync([...words], { from: 'user' }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { stdout: stdout.text(), stderr: stderr.text(), error };
  };

  /** Runs a command with --json that must succeed, and answers what a program reads. */
  const json = async (...words: string[]): Promise<unknown> => {
    const { stdout, error } = await signpost([...words, '--json']);
    expect(error).toBeUndefined();
    return JSON.parse(stdout);
  };

  /** Runs a command that must be refused, and answers the words of the refusal. */
  const refusal = async (...words: string[]): Promise<string> => {
    const { stdout, error } = await signpost(words);
    expect(error).toMatchObject({ name: 'ServiceError' });
    expect(stdout).toBe('');
    return String(error);
  };

  return { openStorage, signpost, json, refusal };
}
