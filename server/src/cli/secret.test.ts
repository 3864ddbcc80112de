import { Command } from 'commander';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { commandLine, createdKey } from '../../../test/fixtures/command-line.js';

const NEW_SECRET = 'u8Xw0Zp3-Kq7LmN2vB5cR9tYf4HjGd1sAeQoIi6UyTz';
const report = z.object({ oldFingerprint: z.string(), newFingerprint: z.string(), keptFile: z.string() });

let dataDir: string;
let file: string;
let line: ReturnType<typeof commandLine>;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signpost-secret-'));
  file = join(dataDir, 'new-secret');
  await writeFile(file, NEW_SECRET);
  line = commandLine(dataDir, () => new Command());
  await line.json('account', 'create', '--email', 'ada@example.org');
  await line.json('project', 'create', '--account', 'ada@example.org', '--name', 'App');
});
afterEach(() => rm(dataDir, { recursive: true }));

test('secret replace puts the new secret in the data folder without printing it, and key list still shows the key', async () => {
  const made = await line.json('key', 'create', '--account', 'ada@example.org', '--project', 'App');
  const { prefix } = createdKey.parse(made);
  const { stdout, error } = await line.signpost(['secret', 'replace', '--new-secret-file', file]);
  expect(error).toBeUndefined();
  expect(stdout).toMatch(/Start the server again\./u);
  expect(stdout).not.toContain(NEW_SECRET);
  expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(`${NEW_SECRET}\n`);
  expect(await line.json('key', 'list', '--account', 'ada@example.org')).toMatchObject([{ prefix }]);
});

test('replace prints as JSON the fingerprints of both secrets, and the file that keeps the old secret', async () => {
  const before = await readFile(join(dataDir, 'secret'), 'utf8');
  const replaced = report.parse(await line.json('secret', 'replace', '--new-secret-file', file));
  expect(replaced.newFingerprint).not.toBe(replaced.oldFingerprint);
  expect(await readFile(replaced.keptFile, 'utf8')).toBe(before);
});

test('replace is rejected without --new-secret-file, or if that file does not exist', async () => {
  const { error, stderr } = await line.signpost(['secret', 'replace']);
  expect(error).toMatchObject({ code: 'commander.missingMandatoryOptionValue' });
  expect(stderr).toMatch(/--new-secret-file <file>' not specified/u);
  expect(await line.rejection('secret', 'replace', '--new-secret-file', `${file}-not`)).toMatch(
    /There is no file/u,
  );
});
