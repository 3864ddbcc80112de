import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const packedPaths = z.record(z.enum(['n8n-nodes-signpost', 'signpost', 'signpost-mcp']), z.string());

/** The paths of the packed files, by package name. */
export const packages = packedPaths.parse(JSON.parse(process.env.SIGNPOST_PACKAGES ?? '{}'));
export type PackageName = keyof typeof packages;

/** The checkout that the packages were made in. */
export const root = join(import.meta.dirname, '../../..');

const PUBLIC_REGISTRY = 'registry.npmjs.org';

/** The files that reveal where they were made: that name the checkout, this machine's own npm registry, or its names. */
export async function revealing(
  files: readonly string[],
  namesOfMachine: readonly string[] = [homedir(), hostname()],
): Promise<readonly string[]> {
  const { stdout } = await run('npm', ['config', 'get', 'registry']);
  const registry = new URL(stdout.trim()).host;
  const places = [root, ...namesOfMachine].filter((place) => place.length > 4);
  if (registry !== PUBLIC_REGISTRY) places.push(registry);
  // Not just a longer word that begins with a place.
  const place = new RegExp(`(?:${places.join('|').replaceAll('.', '[.]')})(?![\\w-])`, 'u');
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return files.filter((_, at) => place.test(contents[at] ?? ''));
}

/** A package in its own folder. */
export interface Installed {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Runs the work and prints how long it took. Only for people to read, because machines differ. */
export async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  const result = await work();
  process.stderr.write(`${what}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`);
  return result;
}

/** No install scripts, because compiling SQLite takes a minute or more. Tests that need it copy its binary. */
const WITHOUT_SCRIPTS = ['--ignore-scripts'];

/** Installs only this packed file into an empty folder, with an empty cache and these npm options. */
export async function installAlone(name: PackageName, options = WITHOUT_SCRIPTS): Promise<Installed> {
  const place = await mkdtemp(join(tmpdir(), 'signpost-packages-'));
  const folder = join(place, 'project');
  await mkdir(folder);
  const cache = join(place, 'cache');
  // Installs the nodes as n8n does: without n8n-workflow, because they use the one of n8n.
  const asN8n = name === 'n8n-nodes-signpost' ? ['--legacy-peer-deps'] : [];
  const words = ['install', packages[name], '--cache', cache, '--no-audit', '--no-fund', ...asN8n];
  await timed(`${name} is installed by ${['npm install', ...options].join(' ')}`, () =>
    run('npm', [...words, ...options], { cwd: folder }),
  );
  await rm(cache, { recursive: true, force: true });
  return { folder, remove: () => rm(place, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Unpacks a packed file. Its contents are in `package`. */
export async function unpack(name: PackageName): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'signpost-packages-'));
  await run('tar', ['-xzf', packages[name], '-C', folder]);
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** Makes a folder to use as the whole PATH, with only Node.js, npm and a shell: no browser, no container engine. */
export async function bareTools(place: string): Promise<string> {
  const tools = join(place, 'tools');
  await mkdir(tools);
  const folders = (process.env.PATH ?? '').split(':');
  for (const name of ['node', 'npm', 'npx', 'sh']) {
    for (const folder of folders) {
      const program = await realpath(join(folder, name)).catch(() => undefined);
      if (program === undefined) continue;
      await symlink(program, join(tools, name));
      break;
    }
  }
  return tools;
}
