import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const script = join(root, 'scripts/release-version.mjs');

const LEFT_OUT = ['.cache', '.git', 'bench', 'data', 'dist', 'node_modules', 'test'];
const WORDS = ['## [Unreleased]', '', '### Added', '', '- Something new.', '', '## [1.2.0] - 2026-01-02', ''];
const manifest = z.looseObject({ version: z.string() });
const NAMES_A_VERSION = /(?:signpost(?:-mcp)?-|VERSION = '|image\.version=)\d+\.\d+\.\d+/u;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-release-'));
  await cp(root, folder, {
    recursive: true,
    filter: (path) => path === root || !LEFT_OUT.includes(basename(path)),
  });
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => writeFile(join(folder, 'CHANGELOG.md'), WORDS.join('\n')));

/** Calls one of the script's functions on the copy. */
const call = (name: string, ...words: string[]) => {
  const args = [folder, ...words].map((word) => JSON.stringify(word)).join(', ');
  return run(process.execPath, ['--eval', `import('${script}').then((it) => it.${name}(${args}))`]);
};

test('a release writes the new version to every file that names the version, and its date to the changelog', async () => {
  await call('setVersion', '7.8.9', '2026-03-04');
  const wrong: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:json|md|ts)$|^Dockerfile$/u.test(entry.name)) continue;
    if (/\.test\.ts$|^(?:CHANGELOG\.md|openapi\.json)$/u.test(entry.name)) continue;
    const lines = (await readFile(join(entry.parentPath, entry.name), 'utf8')).split('\n');
    wrong.push(...lines.filter((line) => NAMES_A_VERSION.test(line) && !line.includes('7.8.9')));
  }
  expect(wrong).toEqual([]);
  for (const name of ['.', 'contract', 'mcp', 'server']) {
    const manifest = await readFile(join(folder, name, 'package.json'), 'utf8');
    expect(JSON.parse(manifest)).toHaveProperty('version', '7.8.9');
  }
  const lock: unknown = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  expect(lock).toHaveProperty(['packages', 'server', 'devDependencies', '@signpost/contract'], '7.8.9');
  expect(await readFile(join(folder, 'CHANGELOG.md'), 'utf8')).toContain(
    '## [Unreleased]\n\n## [7.8.9] - 2026-03-04\n\n### Added\n\n- Something new.\n\n## [1.2.0] - 2026-01-02\n',
  );
});

test('no test file except this one contains the current version', async () => {
  const { version } = manifest.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const named = new RegExp(String.raw`(?<![\d.])${version.replaceAll('.', String.raw`\\?\.`)}(?![\d.])`, 'u');
  const lines: string[] = [];
  let tests = 0;
  for (const place of ['contract/src', 'mcp/src', 'server/browser', 'server/src', 'test']) {
    for (const name of await readdir(join(root, place), { recursive: true })) {
      // This file has versions of its own.
      if (!/\btest\.tsx?$/u.test(name) || join(root, place, name) === import.meta.filename) continue;
      tests += 1;
      const text = await readFile(join(root, place, name), 'utf8');
      lines.push(...text.split('\n').filter((line) => named.test(line)));
    }
  }
  expect(tests).toBeGreaterThan(100);
  expect(lines).toEqual([]);
});

test('a newer version with a changelog entry may be released', () => call('assertReleasable', '1.10.0'));

test.each(['1.2.0', '1.1.9', '0.9.9'])(
  'the version %s is rejected after 1.2.0, because it is not newer',
  async (version) => {
    await expect(call('assertReleasable', version)).rejects.toThrow('give a higher version');
  },
);

test.each(['v1.3.0', '1.3', 'next', '01.3.0'])(
  'a release of "%s" is rejected, because it is not a version',
  async (version) => {
    await expect(call('assertReleasable', version)).rejects.toThrow('give three numbers');
  },
);

test('a version without a line in the changelog is rejected', async () => {
  await writeFile(join(folder, 'CHANGELOG.md'), WORDS.filter((line) => !line.startsWith('- ')).join('\n'));
  await expect(call('assertReleasable', '1.3.0')).rejects.toThrow('CHANGELOG.md has no line');
});

test('the version 0.1.0 may be released if the changelog has no earlier version', async () => {
  await writeFile(join(folder, 'CHANGELOG.md'), WORDS.slice(0, -2).join('\n'));
  await call('assertReleasable', '0.1.0');
});

test('a release with uncommitted changes is rejected, and leaves package.json unchanged', async () => {
  await run('git', ['init', '--quiet'], { cwd: folder });
  const release = run(process.execPath, [join(folder, 'scripts/release.mjs'), '9.9.9']);
  await expect(release).rejects.toThrow('commit or stash them first');
  expect(await readFile(join(folder, 'package.json'), 'utf8')).not.toContain('9.9.9');
});
