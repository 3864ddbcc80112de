import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { createProgram } from '../../server/src/cli/program.js';
import { commandLine, createdKey } from '../fixtures/command-line.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { largeEditionCsv } from '../fixtures/postcodes/large-edition.js';
import { startPortal } from '../fixtures/postcodes/portal.js';
import { zipFile } from '../fixtures/postcodes/zip-file.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { chosenCommand, wordsOf } from '../fixtures/whole-program.js';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { pages, read, root } from './documents.js';

const run = promisify(execFile);
const tokenPair = z.object({ accessToken: z.string(), refreshToken: z.string() });

/** There are dozens of examples, and most start a process. */
const EXAMPLES_TIMEOUT_MS = 300_000;

/** The prefix of the key that examples name. */
const SOME_PREFIX = 'sp_live_AbCd1234';

/** Matches an example, and before it the reason why it cannot run here, if there is one. */
const BLOCK = /(?:<!-- not run: (.+?) -->\n\n *)?```sh\n([\s\S]*?)^ *```$/gmu;

/** Begins a line that can run inside this process, which takes a tenth of the time of a new process. */
const RUNS_HERE = /^npx signpost (?=(?:account|audit|key|project|return-url|secret|token) )(?!.*[$<|])/u;

/**
 * Matches examples that would change the server of other examples. They share a data folder of their own, with the
 * same secret.
 */
const APART = /^ *npx signpost (?:postcodes import|restore|secret replace) /mu;
const ARCHIVE = zipFile({ 'Data/ONSPD_AUG_2026_UK.csv': largeEditionCsv('B') });

/** Matches the end of a line that runs the program in some way. Captures what comes after its name. */
const RUNS_PROGRAM = /(?:\bnpx(?: --no)?(?: --prefix \S+)?|\bexec signpost(?:-1)?| --) signpost(?: (.*))?$/u;

/** Pages whose commands are about the repository itself. The repository's own scripts run these commands. */
const ABOUT_THE_REPOSITORY = new Set([
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/benchmarks.md',
]);

/** The page whose examples run first. They create the account and the project that other examples use. */
const FIRST = 'docs/how-to/manage-accounts.md';

const blocks = [FIRST, ...pages.filter((page) => page !== FIRST && !ABOUT_THE_REPOSITORY.has(page))].flatMap(
  (page) => [...read(page).matchAll(BLOCK)].map(([, reason, text = '']) => ({ page, reason, text })),
);

let folder: string;
let server: SignpostServer;
let site: Pages;
let signpost: ReturnType<typeof commandLine>;
let portal: Awaited<ReturnType<typeof startPortal>>;

/** Puts a command on the PATH of the examples. */
async function addCommand(name: string, line: string) {
  await writeFile(join(folder, name), `#!/bin/sh\n${line}\n`);
  await chmod(join(folder, name), 0o755);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-documents-'));
  site = await servePages({
    '/': (_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end('<h1>A title</h1><p>A text.</p>');
    },
  });
  server = await startSignpost({
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
    ...UNLIMITED,
  });
  signpost = commandLine(server.dataDir, createProgram);
  portal = await startPortal(ARCHIVE);
  await writeFile(join(folder, 'ONSPD.zip'), ARCHIVE);
  await mkdir(join(folder, 'apart'), { mode: 0o700 });
  await cp(join(server.dataDir, 'secret'), join(folder, 'apart/secret'));
  const curl = (await run('sh', ['-c', 'command -v curl'])).stdout.trim();
  await addCommand('npx', `shift; exec "${process.execPath}" "${join(root, 'server/bin/signpost.js')}" "$@"`);
  await addCommand('curl', `exec ${curl} --silent --show-error --fail-with-body "$@"`);
});
afterAll(async () => {
  await Promise.all([server.remove(), site.close(), portal.close()]);
  await rm(folder, { recursive: true });
});

/** Creates a key that an example may change or revoke. Returns its prefix. */
async function newPrefix(): Promise<string> {
  const words = ['key', 'create', '--account', 'operator@localhost', '--project', 'First project'];
  return createdKey.parse(await signpost.json(...words)).prefix;
}

/** The current tokens of the operator, read again for each example because examples replace them. */
async function newTokens() {
  const { stdout } = await server.run('token', 'show', '--account', 'operator@localhost', '--json');
  const { accessToken, refreshToken } = tokenPair.parse(JSON.parse(stdout));
  return { ACCESS_TOKEN: accessToken, REFRESH_TOKEN: refreshToken };
}

/** Runs an example with the test's server, site and keys in place of those that it names. Rejects if it fails. */
async function runBlock(text: string) {
  const prefix = text.includes(SOME_PREFIX) ? await newPrefix() : '';
  const script = text
    .replaceAll('http://127.0.0.1:3000', server.url)
    .replaceAll('https://example.com', site.url)
    .replaceAll('sp_live_…', server.apiKey)
    .replaceAll(SOME_PREFIX, prefix);
  const lines = script.split('\n').filter((line) => line.trim() !== '');
  if (lines.every((line) => RUNS_HERE.test(line))) {
    for (const line of lines) {
      const { error } = await signpost.signpost(wordsOf(line.replace(RUNS_HERE, '')));
      if (error !== undefined) throw new Error(`${line} failed`, { cause: error });
    }
    return;
  }
  const PATH = `${folder}${delimiter}${process.env.PATH ?? ''}`;
  const tokens = text.includes('_TOKEN') ? await newTokens() : {};
  const env = {
    HOME: folder,
    PATH,
    KEY: server.apiKey,
    SIGNPOST_DIRECTORY_SEARCH_URL: portal.searchUrl,
    // This machine may be unable to reach pages on other machines.
    SIGNPOST_NETWORK_PROBE: 'off',
    SIGNPOST_DATA_DIR: APART.test(script) ? join(folder, 'apart') : server.dataDir,
    ...tokens,
  };
  await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: folder, env });
}

test(
  'every example of a command in the documents that can run here exits with 0',
  async () => {
    // An example on several pages runs only once, because those that start a browser take seconds.
    const examples = new Map(
      blocks.filter(({ reason }) => reason === undefined).map(({ page, text }) => [text, page]),
    );
    expect(examples.size).toBeGreaterThan(40);
    const failures: string[] = [];
    for (const [text, page] of examples) {
      await runBlock(text).catch((error: unknown) => failures.push(`${page}:\n${text}${String(error)}`));
    }
    expect(failures).toEqual([]);
  },
  EXAMPLES_TIMEOUT_MS,
);

test('the program accepts every signpost command in the examples of the documents for users', async () => {
  const lines = blocks.flatMap(({ page, text }) =>
    text
      .replaceAll(/\\\n\s*/gu, '')
      .split('\n')
      .flatMap((line) => {
        const match = RUNS_PROGRAM.exec(line);
        return match === null ? [] : [{ page, line, words: wordsOf(match[1] ?? '') }];
      }),
  );
  expect(lines.length).toBeGreaterThan(100);
  const wrong: string[] = [];
  for (const { page, line, words } of lines)
    await chosenCommand(words).catch((error: unknown) => wrong.push(`${page}: ${line}: ${String(error)}`));
  expect(wrong).toEqual([]);
});
