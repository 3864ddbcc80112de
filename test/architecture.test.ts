import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

/** Forbidden imports: the file, the module that it imports, and the rule that forbids the import. */
const forbidden = [
  ['contract/src/limits.ts', '../../server/src/platform/clock.js', 'contract-imports-zod-alone'],
  ['contract/src/errors.ts', 'somewhere', 'contract-imports-zod-alone'],
  ['mcp/src/client.ts', '../../server/src/platform/clock.js', 'mcp-imports-contract-alone'],
  ['mcp/src/tools.ts', '../../contract/src/limits.js', 'mcp-imports-contract-alone'],
  ['mcp/src/tools/tool.ts', '@modelcontextprotocol/server', 'mcp-protocol-alone-knows-the-sdk'],
  ['server/src/http/mcp-route.ts', '@modelcontextprotocol/server', 'mcp-protocol-alone-knows-the-sdk'],
  ['server/src/http/server.ts', '../../../mcp/src/tools.js', 'server-imports-contract-and-mcp-alone'],
  ['nodes/Signpost/capture.ts', '../../contract/src/index.js', 'n8n-package-imports-n8n-workflow-alone'],
  ['credentials/SignpostApi.credentials.ts', 'somewhere', 'n8n-package-imports-n8n-workflow-alone'],
  ['server/src/http/nodes.ts', '../../../nodes/Signpost/capture.js', 'nobody-imports-the-n8n-package'],
  ['server/src/loose.ts', './platform/clock.js', 'every-file-in-a-layer'],
  ['server/src/new-layer/loose.ts', '../platform/clock.js', 'every-file-in-a-layer'],
  ['server/src/usage/loose.ts', '../imported-loose.js', 'no-loose-file-imported'],
  ['server/src/capture/config.ts', '../app/config.js', 'app-composed-by-the-command-line'],
  ['server/src/http/app.ts', '../app/app.js', 'app-composed-by-the-command-line'],
  ['server/src/operations/lookup.ts', '../http/server.js', 'adapters-above-all'],
  ['server/src/usage/meter.ts', '../http/server.js', 'adapters-above-all'],
  ['server/src/storage/rows.ts', '../cli/start.js', 'adapters-above-all'],
  ['server/src/http/rows.ts', '../storage/rows.js', 'adapters-not-past-the-domain'],
  ['server/src/console/rows.ts', '../storage/rows.js', 'adapters-not-past-the-domain'],
  ['server/src/operations/rows.ts', '../storage/rows.js', 'adapters-not-past-the-domain'],
  ['server/src/console/keys/rows.ts', '../../storage/rows.js', 'pages-without-sql'],
  ['server/src/console/keys/query.ts', 'knex', 'pages-without-sql'],
  ['server/src/http/page.ts', '../console/rows.js', 'adapters-apart'],
  ['server/src/cli/page.ts', '../console/rows.js', 'adapters-apart'],
  ['server/src/console/start.ts', '../cli/start.js', 'console-without-cli'],
  ['server/src/postcodes/lookup.ts', '../operations/lookup.js', 'operations-above-the-domain'],
  ['server/src/http/bytes.ts', '../postcodes/wire/bytes.js', 'wire-for-operations-alone'],
  ['server/src/postcodes/bytes.ts', './wire/bytes.js', 'wire-for-operations-alone'],
  ['server/src/storage/meter.ts', '../usage/meter.js', 'domain-above-storage'],
  ['server/src/keys/meter.ts', '../usage/meter.js', 'domain-folders-apart'],
  ['server/src/platform/contract.ts', '@signpost/contract', 'platform-is-the-ground'],
  ['server/src/platform/meter.ts', '../usage/meter.js', 'platform-names-no-layer'],
  ['server/src/cli/main.ts', '../main.js', 'main-imported-by-nobody'],
  ['server/src/accounts/circle.ts', './circle.js', 'no-circular'],
  ['server/src/tokens/fixture.ts', './fixture.test.js', 'no-tests-in-source'],
  ['server/src/tokens/pages.ts', '../../../test/fixtures/pages.js', 'no-tests-in-source'],
  ['mcp/src/pages.ts', '../../test/fixtures/pages.js', 'no-tests-in-source'],
  ['scripts/pages.ts', '../test/fixtures/pages.js', 'no-tests-in-source'],
  ['server/src/tokens/undeclared.ts', 'elsewhere', 'no-undeclared-package'],
  ['mcp/src/bundled.ts', 'later', 'no-package-of-development'],
  ['server/src/tokens/lost.ts', './nowhere.js', 'no-unresolvable'],
] as const;

const allowed = [
  ['mcp/src/protocol/sdk.ts', "import { value } from '@modelcontextprotocol/server';"],
  ['server/src/keys/usage-type.ts', "import type { value } from '../usage/meter.js';"],
  ['server/src/keys/secret-key.ts', "import { value } from '../secret/key.js';"],
  ['server/src/keys/key-rows.ts', "import { value } from '../storage/rows.js';"],
  ['server/src/operations/meter.ts', "import { value } from '../usage/meter.js';"],
  ['server/src/operations/bytes.ts', "import { value } from '../postcodes/wire/bytes.js';"],
  ['server/src/cli/start.ts', "import { value } from '../app/app.js';"],
  ['server/src/http/contract.ts', "import { value } from '@signpost/contract';"],
  ['server/src/platform/errors.ts', "import type { value } from '@signpost/contract';"],
  ['server/src/tokens/bundled.ts', "import { value } from 'later';"],
  ['server/src/tokens/fixture.test.ts', "import { value } from '../../../test/fixtures/pages.js';"],
] as const;

/** Two folders that import each other, although no two of their files do, and two that do so only in a test. */
const rooms = [
  ['server/src/console/chart/of-map.ts', "export { value } from '../map/kept.js';"],
  ['server/src/console/map/of-chart.ts', "export { value } from '../chart/kept.js';"],
  ['server/src/console/code/of-request.ts', "export { value } from '../request/kept.js';"],
  ['server/src/console/request/kept.test.ts', "import '../code/of-request.js';"],
] as const;

const others = [
  'server/src/console/chart/kept.ts',
  'server/src/console/map/kept.ts',
  'server/src/console/request/kept.ts',
  'server/src/keys/orphan.ts',
  'contract/src/index.ts',
  'nodes/Signpost/Signpost.node.ts',
  'server/src/app/config.ts',
  'server/src/app/app.ts',
  'server/src/main.ts',
  'server/src/imported-loose.ts',
  'server/src/platform/clock.ts',
  'server/src/postcodes/wire/bytes.ts',
  'server/src/secret/key.ts',
  'test/fixtures/pages.ts',
];

const report = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

let folder = '';
const violations = new Map<string, string[]>();

const write = async (path: string, text: string) => {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
};

/** Checks these folders with the rules in a file of `config/`. Adds the violations to `violations`. */
async function cruise(rules: string, ...folders: readonly string[]) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cruiser, '--config', join(root, 'config', rules), '--output-type', 'json', ...folders],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  );
  for (const { from, rule } of report.parse(JSON.parse(stdout)).summary.violations)
    violations.set(from, [...(violations.get(from) ?? []), rule.name]);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-architecture-'));
  const dependencies = { somewhere: '*', knex: '*', '@modelcontextprotocol/server': '*' };
  const devDependencies = { later: '*' };
  await write('package.json', JSON.stringify({ dependencies, devDependencies }));
  for (const name of ['elsewhere', ...Object.keys({ ...dependencies, ...devDependencies })]) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    await write(`node_modules/${name}/index.js`, 'module.exports = { value: 1 };');
  }
  for (const path of others) await write(path, 'export const value = 1;');
  for (const [path, text] of rooms) await write(path, text);
  for (const [path, line] of allowed) await write(path, `${line}\nexport { value };`);
  for (const [path, target] of forbidden) await write(path, `export { value } from '${target}';`);

  const within = ['chart', 'map', 'code', 'request'].map((name) => `server/src/console/${name}`);
  await Promise.all([cruise('dependency-cruiser.cjs', '.'), cruise('folder-circles.cjs', ...within)]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(forbidden)('the file %s may not import the module %s, by the rule %s', (from, _target, rule) => {
  expect(violations.get(from)).toContain(rule);
});

test.each(allowed)('the file %s may contain the line %s', (from) => {
  expect(violations.get(from)).toBeUndefined();
});

test('a file that imports no file and that no file imports breaks the rule no-orphans', () => {
  expect(violations.get('server/src/keys/orphan.ts')).toEqual(['no-orphans']);
});

test('folders that import each other break the rule no-circle-of-folders, unless one import is in a test', () => {
  const refused = (name: string) => violations.get(`server/src/console/${name}`);
  expect(['chart', 'map'].map(refused)).toEqual([['no-circle-of-folders'], ['no-circle-of-folders']]);
  expect(['code', 'request'].map(refused)).toEqual([undefined, undefined]);
});

test('every rule of config/dependency-cruiser.cjs has a test case', () => {
  const named = z.object({ forbidden: z.array(z.object({ name: z.string() })) });
  const rules = named.parse(createRequire(import.meta.url)('../config/dependency-cruiser.cjs')).forbidden;
  const cases = new Set<string>([...forbidden.map(([, , rule]) => rule), 'no-orphans']);
  expect([...cases].toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
});
