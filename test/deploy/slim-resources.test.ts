import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../deploy/slim-resources.mjs');
const compressed = (text: string) => `\u001e\u009b${text}`;

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-slim-'));
  path = join(folder, 'texts.pak');
});
afterEach(() => rm(folder, { recursive: true }));

type Numbered<Value> = readonly (readonly [number: number, value: Value])[];

/** The file of these contents, and of other numbers for those at these places. */
function pak(contents: Numbered<string>, aliases: Numbered<number>): Buffer {
  let place = 12 + (contents.length + 1) * 6 + aliases.length * 4;
  const header = Buffer.from([5, 0, 0, 0, 1, 0, 0, 0, contents.length, 0, aliases.length, 0]);
  const entry = ([number, text]: readonly [number, string]) => {
    const bytes = Buffer.alloc(6);
    bytes.writeUInt16LE(number, 0);
    bytes.writeUInt32LE(place, 2);
    place += text.length;
    return bytes;
  };
  return Buffer.concat([
    header,
    ...contents.map(entry),
    entry([0, '']),
    ...aliases.map((pair) => Buffer.from(Uint16Array.from(pair).buffer)),
    Buffer.from(contents.map(([, text]) => text).join(''), 'latin1'),
  ]);
}

test('what is compressed is left out, with what lies between, and the texts keep their numbers', async () => {
  const pages = [
    [20, compressed('page')],
    [21, 'picture'],
    [22, compressed('page')],
  ] as const;
  const whole = pak(
    [[10, 'one'], ...pages, [30, 'two']],
    [
      [40, 4],
      [41, 2],
    ],
  );
  await writeFile(path, whole);
  await run(process.execPath, [script, path]);
  const texts = pak(
    [
      [10, 'one'],
      [30, 'two'],
    ],
    [[40, 1]],
  );
  expect(await readFile(path)).toEqual(texts);
  await run(process.execPath, [script, path]);
  expect(await readFile(path)).toEqual(texts);
});

test('a file of another version stays as it is', async () => {
  const other = Buffer.from([4, 0, 0, 0, 1, 2, 3]);
  await writeFile(path, other);
  const { stdout } = await run(process.execPath, [script, path]);
  expect(stdout).toContain('stays as it is');
  expect(await readFile(path)).toEqual(other);
});
