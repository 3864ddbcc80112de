import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VERSION } from '../../server/src/platform/version.js';
import { bareTools, root, timed } from './support/packed.js';

const run = promisify(execFile);

let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'signpost-release-'));
});
afterAll(() => rm(place, { recursive: true }));

test('a release contains every package and the bundle with checksums, and says that the image is left out without an engine', async () => {
  const folder = join(place, 'release');
  const words = [VERSION, folder].map((word) => JSON.stringify(word)).join(', ');
  const make = `import('${root}/scripts/release-files.mjs').then((it) => it.makeReleaseFiles(${words}))`;
  const print = `${make}.then((made) => console.log(JSON.stringify(made)))`;
  const env = { ...process.env, PATH: await bareTools(place) };
  const { stdout } = await timed('the files of a release are made', () =>
    run(process.execPath, ['--eval', print], { env }),
  );
  const leftOut = ['the image: no container engine answers on this machine'];
  expect(JSON.parse(stdout)).toEqual({ folder, leftOut });
  const names = [
    `n8n-nodes-signpost-${VERSION}.tgz`,
    `signpost-${VERSION}.mcpb`,
    `signpost-${VERSION}.tgz`,
    `signpost-mcp-${VERSION}.tgz`,
  ];
  expect((await readdir(folder)).toSorted()).toEqual(['SHA256SUMS', ...names]);
  const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
  const lines = sums.trimEnd().split('\n');
  expect(lines.map((line) => line.split('  ')[1])).toEqual(names);
  for (const line of lines) {
    const [sum, name = ''] = line.split('  ');
    const content = await readFile(join(folder, name));
    expect([name, sum]).toEqual([name, createHash('sha256').update(content).digest('hex')]);
  }
});
