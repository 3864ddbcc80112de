import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from './config.js';
import { defaultDataFolder } from './data-folder.js';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'signpost-data-folder-'))));
afterEach(() => rm(folder, { recursive: true }));

const place = (platform: NodeJS.Platform = 'linux') => ({ cwd: folder, home: '/home/ann', platform });

test.each([
  ['linux', {}, '/home/ann/.local/share/signpost'],
  ['linux', { XDG_DATA_HOME: '/data/ann' }, '/data/ann/signpost'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ann/.local/share/signpost'],
  ['darwin', {}, '/home/ann/Library/Application Support/signpost'],
  ['win32', { APPDATA: 'C:\\Users\\ann\\Roaming' }, 'C:\\Users\\ann\\Roaming\\signpost'],
] as const)('on %s with variables %j, the default data folder is %s', (platform, environment, expected) => {
  expect(defaultDataFolder(environment, place(platform))).toBe(expected);
});

test('the default data folder of a checkout is its folder "data"', () => {
  expect(defaultDataFolder({}, { ...place(), checkout: folder })).toBe(join(folder, 'data'));
});

test('uses the folder "data" of the working directory only if it holds an installation', async () => {
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'data', 'customers.csv'), '');
  expect(defaultDataFolder({}, place())).toBe('/home/ann/.local/share/signpost');
  await writeFile(join(folder, 'data', 'signpost.db'), '');
  expect(defaultDataFolder({}, place())).toBe(join(folder, 'data'));
});

test('uses SIGNPOST_DATA_DIR rather than a default folder', () => {
  expect(readConfig({ SIGNPOST_DATA_DIR: folder }).dataDir).toBe(folder);
});
