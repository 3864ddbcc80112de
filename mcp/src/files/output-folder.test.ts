import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOutputFolder, OutputFileError, type OutputFolder } from './output-folder.js';

const body = Buffer.from('%PDF-');
const pageUrl = 'https://user:secret@www.Example.com:8080/a/../b?q=1#x';

let outside: string;
let root: string;
let folder: OutputFolder;
beforeEach(async () => {
  outside = await realpath(await mkdtemp(join(tmpdir(), 'signpost-output-')));
  root = join(outside, 'captures');
  folder = createOutputFolder({ locate: () => root, now: () => new Date('2026-01-02T03:04:05Z') });
});
afterEach(() => rm(outside, { recursive: true, force: true }));

const save = (outputFile?: string, extension = 'pdf') =>
  folder.save({ body, extension, pageUrl, outputFile });
const rejectionOf = async (outputFile: string) => {
  const error = await save(outputFile).then(
    (path) => new Error(`It was saved to ${path}.`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OutputFileError);
  return String(error);
};

test('a file without a given name is named by host and time, and a second one gets a number', async () => {
  expect(await save()).toBe(join(root, 'www.example.com-20260102-030405.pdf'));
  expect(await save()).toBe(join(root, 'www.example.com-20260102-030405-2.pdf'));
  expect(await save(undefined, 'png')).toBe(join(root, 'www.example.com-20260102-030405.png'));
  expect(await readFile(join(root, 'www.example.com-20260102-030405.pdf'))).toEqual(body);
});

test('only the owner can read a saved file', async () => {
  expect((await lstat(await save())).mode & 0o777).toBe(0o600);
});

test('a given name may contain folders, and gets the extension of its kind if it has none', async () => {
  expect(await save('reports/2026/page')).toBe(join(root, 'reports/2026/page.pdf'));
  expect(await save('Page.PDF')).toBe(join(root, 'Page.PDF'));
  expect(await save('photo.jpeg', 'jpg')).toBe(join(root, 'photo.jpeg'));
});

test('does not overwrite a file that has the given name', async () => {
  await save('page.pdf');
  expect(await rejectionOf('page.pdf')).toContain('not overwritten');
  expect(await readdir(root)).toEqual(['page.pdf']);
});

test.each([
  '../page.pdf',
  'a/../../page.pdf',
  'a/./page.pdf',
  '/etc/page.pdf',
  '//host/share/page.pdf',
  'a//page.pdf',
  'folder/',
  '.',
  '..',
  '',
  '.ssh/page.pdf',
  '.bashrc',
  '..\\page.pdf',
  'C:\\page.pdf',
  'C:page.pdf',
  'page.pdf:stream',
  'page\u0000.pdf',
  'page\n.pdf',
  'con.pdf',
  'nul',
  'page.pdf.',
  'page.pdf ',
  'page.sh',
  'page.pdf.exe',
  'page.html',
  `${'a'.repeat(300)}.pdf`,
])('rejects the name %j and writes no file', async (name) => {
  expect(await rejectionOf(name)).toContain('Give a plain name');
  expect(await readdir(outside)).toEqual(
    await readdir(outside).then((names) => names.filter((n) => n === 'captures')),
  );
  expect(await readdir(root)).toEqual([]);
});

test('does not follow a link to a folder elsewhere', async () => {
  await mkdir(root);
  await mkdir(join(outside, 'elsewhere'));
  await symlink(join(outside, 'elsewhere'), join(root, 'link'));
  expect(await rejectionOf('link/page.pdf')).toContain('is a link');
  expect(await rejectionOf('link/deeper/page.pdf')).toContain('is a link');
  expect(await readdir(join(outside, 'elsewhere'))).toEqual([]);
});

test.each([
  ['a file elsewhere', 'victim.pdf'],
  ['a file that does not exist', 'not-there.pdf'],
])('does not write through a link to %s', async (_what, target) => {
  await mkdir(root);
  await writeFile(join(outside, 'victim.pdf'), 'precious');
  await symlink(join(outside, target), join(root, 'page.pdf'));
  expect(await rejectionOf('page.pdf')).toContain('not overwritten');
  expect(await readdir(outside)).toEqual(['captures', 'victim.pdf']);
  expect(await readFile(join(outside, 'victim.pdf'), 'utf8')).toBe('precious');
});

test('does not write through a link that has the name made from host and time', async () => {
  await mkdir(root);
  await symlink(join(outside, 'target.pdf'), join(root, 'www.example.com-20260102-030405.pdf'));
  expect(await save()).toBe(join(root, 'www.example.com-20260102-030405-2.pdf'));
  expect(await readdir(outside)).toEqual(['captures']);
});

test('the output folder itself may be a link', async () => {
  await mkdir(join(outside, 'real'));
  await symlink(join(outside, 'real'), root);
  expect(await save('page.pdf')).toBe(join(outside, 'real/page.pdf'));
});

test('a file of a page at an IPv6 address gets a name without brackets and colons', async () => {
  const path = await folder.save({
    body,
    extension: 'pdf',
    pageUrl: 'http://[::1]:80/',
    outputFile: undefined,
  });
  expect(path).toBe(join(root, '1-20260102-030405.pdf'));
});

test('if the folder cannot be created, says what to set, and tries again at the next file', async () => {
  await writeFile(root, 'a file');
  await expect(save()).rejects.toThrow(/SIGNPOST_MCP_OUTPUT_DIR/u);
  await rm(root);
  expect(await save('page')).toBe(join(root, 'page.pdf'));
  await chmod(root, 0o700);
});

test('creates the folder again if it was deleted', async () => {
  await save();
  await rm(root, { recursive: true });
  expect(await readFile(await save())).toEqual(body);
});

test('checking a name rejects one that is taken, leads out of the folder or has the extension of another kind, and writes nothing', async () => {
  await save('page.pdf');
  const check = (outputFile: string) => folder.check({ extension: 'pdf', outputFile });
  await expect(check('page.pdf')).rejects.toThrow('not overwritten');
  await expect(check('../page.pdf')).rejects.toThrow(OutputFileError);
  await expect(check('page.png')).rejects.toThrow('must end in .pdf');
  await expect(check('reports/new.pdf')).resolves.toBeUndefined();
  expect(await readdir(root)).toEqual(['page.pdf']);
});

test('replaces "~" at the beginning of the output folder by the home folder, and rejects it in a name', async () => {
  const below = createOutputFolder({ locate: () => '~/captures', now: () => new Date(0), home: outside });
  const saved = await below.save({ body, extension: 'pdf', pageUrl, outputFile: 'a.pdf' });
  expect(saved).toBe(join(root, 'a.pdf'));
  expect(await rejectionOf('~/page.pdf')).toContain('relative to the output folder');
});
