import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const FOLDERS = ['contract/src', 'mcp/src', 'server/src', 'server/browser', 'test'];
/** Tests that need a PostgreSQL server, which `npm run test:postgresql` starts. */
const WITH_POSTGRESQL = /\/postgresql\/|^test\/backup\/migrate-database\.test\.ts$/u;

/** The test files that a tier would run with these arguments. */
async function filesOf(tier: string, ...words: readonly string[]): Promise<readonly string[]> {
  const args = ['scripts/tier.mjs', tier, '--is-set-up', '--listTests', ...words];
  const { stdout } = await run(process.execPath, args, { cwd: root });
  const lines = stdout.split('\n').filter((line) => line.endsWith('.test.ts'));
  return lines.map((line) => relative(root, line));
}

test('every test file that needs no PostgreSQL is in exactly one of three tiers, and npm test also runs a given file of another tier', async () => {
  const every = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => join(folder, path)),
  ).filter((path) => !WITH_POSTGRESQL.test(path));
  const lists = await Promise.all(['test', 'test:captures', 'test:processes'].map((tier) => filesOf(tier)));
  expect(lists.flat().toSorted()).toEqual(every.toSorted());
  const first = lists[1]?.[0] ?? '';
  expect(await filesOf('test', first)).toEqual([first]);
});
