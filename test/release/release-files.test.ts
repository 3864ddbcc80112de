import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../scripts/release-files.mjs');
const FILES = { 'signpost-1.2.0.tgz': 'server', 'signpost-mcp-1.2.0.mcpb': 'bundle' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-release-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('the checksums of the files of a release are in the order of their names, in the format of sha256sum', async () => {
  for (const [name, content] of Object.entries(FILES).toReversed())
    await writeFile(join(folder, name), content);
  const print = `import('${script}').then((it) => process.stdout.write(it.checksums(${JSON.stringify(folder)})))`;
  const { stdout } = await run(process.execPath, ['--eval', print]);
  const lines = Object.entries(FILES).map(
    ([name, content]) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`,
  );
  expect(stdout).toBe(lines.join(''));
});
