import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../app/config.js';
import { noteBackup } from '../backup/last-backup.js';
import {
  backupFinding,
  dataFolderFinding,
  diskFinding,
  hostsFinding,
  plainHttpFinding,
  proxyFinding,
  signUpFinding,
} from './installation-findings.js';

let dataDir: string;
beforeEach(async () => (dataDir = await mkdtemp(join(tmpdir(), 'signpost-findings-'))));
afterEach(() => rm(dataDir, { recursive: true }));

test.each([
  ['700', 'works', ''],
  ['750', 'could be better', 'look into'],
  ['755', 'could be better', 'look into'],
  ['770', 'could be better', 'change'],
  ['777', 'could be better', 'change'],
])('reports that a data folder with mode %s %s', async (mode, state, right) => {
  await chmod(dataDir, Number.parseInt(mode, 8));
  const finding = await dataFolderFinding({ dataDir });
  expect(finding.state).toBe(state);
  if (state === 'works') return;
  expect(finding.message).toBe(`other users of this machine can ${right} ${dataDir} (mode ${mode})`);
  expect(finding.advice).toBe(`chmod 700 ${dataDir}`);
});

test('reports a file in place of the data folder', async () => {
  const file = join(dataDir, 'file');
  await writeFile(file, '', { mode: 0o600 });
  expect(await dataFolderFinding({ dataDir: file })).toEqual({
    name: 'Data folder',
    state: 'does not work',
    message: `${file} is not a folder`,
    advice: expect.stringContaining('SIGNPOST_DATA_DIR'),
  });
});

test('reports less than 1 GB of free disk space, and names the variable that moves the data', async () => {
  const space = (freeBytes: number) => () => Promise.resolve({ freeBytes, sizeBytes: 50e9 });
  expect(await diskFinding({ dataDir }, space(1.04e9))).toEqual({
    name: 'Disk',
    state: 'works',
    message: '1.0 GB of 50.0 GB are free on the disk of the data folder',
  });
  expect(await diskFinding({ dataDir }, space(0.9e9))).toMatchObject({
    state: 'could be better',
    advice: expect.stringContaining('SIGNPOST_DATA_DIR'),
  });
  expect((await diskFinding({ dataDir: join(dataDir, 'nowhere') })).state).toBe('could be better');
  expect((await diskFinding({ dataDir })).message).toMatch(/^\d+\.\d GB of \d+\.\d GB/u);
});

test('asks for a backup unless one was made in the last 36 hours', async () => {
  const madeMs = Date.UTC(2026, 1, 3, 4, 5, 6);
  const after = (hours: number) => backupFinding({ dataDir }, madeMs + hours * 3_600_000);
  const advice = 'npx signpost backup backups --keep 14';
  const name = 'Backup';
  expect(await after(1)).toEqual({
    name,
    state: 'could be better',
    advice,
    message: 'none was made from this data folder yet',
  });
  await noteBackup(dataDir, new Date(madeMs).toISOString());
  const message = 'the newest was made at 2026-02-03 04:05 UTC';
  expect(await after(36)).toEqual({ name, state: 'works', message });
  expect(await after(37)).toEqual({ name, state: 'could be better', message, advice });
  expect(await after(-24)).toEqual({
    name,
    state: 'could be better',
    message: `${message}, which is in the future: the clock of this machine is or was wrong`,
    advice: `Set the clock (timedatectl set-ntp true), then: ${advice}`,
  });
});

const configOf = (more: Readonly<Record<string, string>>) =>
  readConfig({ SIGNPOST_SIGNUP: 'open', SIGNPOST_DATA_DIR: dataDir, ...more });

test.each([
  ['works', {}],
  ['works', { SIGNPOST_HOST: '::1' }],
  ['works', { SIGNPOST_HOST: '0.0.0.0', SIGNPOST_PUBLIC_URL: 'http://localhost:3000' }],
  ['works', { SIGNPOST_HOST: '0.0.0.0', SIGNPOST_SIGNUP: 'closed' }],
  ['could be better', { SIGNPOST_HOST: '0.0.0.0' }],
  ['could be better', { SIGNPOST_PUBLIC_URL: 'https://signpost.example' }],
])('the finding about sign-up is "%s" with the settings %j', (state, more) => {
  const finding = signUpFinding(configOf(more));
  expect(finding.state).toBe(state);
  expect(finding.advice?.includes('SIGNPOST_SIGNUP=closed')).toBe(state === 'works' ? undefined : true);
});

test.each([
  ['works', {}],
  ['works', { SIGNPOST_PUBLIC_URL: 'http://signpost.example' }],
  ['works', { SIGNPOST_PUBLIC_URL: 'https://signpost.example', SIGNPOST_TRUST_PROXY: '10.0.0.1' }],
  ['could be better', { SIGNPOST_PUBLIC_URL: 'https://signpost.example' }],
])('the finding about trusted proxies is "%s" with the settings %j', (state, more) => {
  const finding = proxyFinding(configOf(more));
  expect(finding.state).toBe(state);
  expect(finding.advice?.includes('SIGNPOST_TRUST_PROXY')).toBe(state === 'works' ? undefined : true);
});

test.each([
  ['works', {}],
  ['works', { SIGNPOST_HOST: '0.0.0.0', SIGNPOST_PUBLIC_URL: 'https://signpost.example' }],
  ['could be better', { SIGNPOST_HOST: '0.0.0.0' }],
  ['could be better', { SIGNPOST_HOST: '0.0.0.0', SIGNPOST_PUBLIC_URL: 'http://signpost.example' }],
  ['works', { SIGNPOST_PUBLIC_URL: 'http://localhost:3000' }],
  ['could be better', { SIGNPOST_PUBLIC_URL: 'http://signpost.example' }],
])('the finding about plain http from other machines is "%s" with the settings %j', (state, more) => {
  const finding = plainHttpFinding(configOf(more));
  expect(finding.state).toBe(state);
  expect(finding.advice?.includes('SIGNPOST_PUBLIC_URL')).toBe(state === 'works' ? undefined : true);
});

test('the finding about the data folder names the user who runs the command', async () => {
  const { message } = await dataFolderFinding({ dataDir });
  expect(message).toMatch(/, used as the user \S+/u);
});

(process.getuid?.() === 0 ? test : test.skip)('warns of a data folder of another user', async () => {
  await chown(dataDir, 12_345, 12_345);
  expect(await dataFolderFinding({ dataDir })).toMatchObject({
    state: 'could be better',
    message: expect.stringContaining('belongs to the user with the number 12345'),
    advice: expect.stringContaining("sudo -u '#12345' npx signpost"),
  });
});

test('lists the names that the server accepts, and advises against accepting every name', () => {
  const named = hostsFinding(
    configOf({ SIGNPOST_ALLOWED_HOSTS: 'nas.lan', SIGNPOST_PUBLIC_URL: 'https://signpost.example' }),
  );
  expect(named).toMatchObject({
    state: 'works',
    message: 'IP addresses, names without a dot, signpost.example, nas.lan; SIGNPOST_ALLOWED_HOSTS adds more',
  });
  expect(hostsFinding(configOf({ SIGNPOST_ALLOWED_HOSTS: '*' })).state).toBe('could be better');
});
