import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { HOLYROOD, PALACE, editionCsv } from '../../../../test/fixtures/postcodes/editions.js';
import {
  temporaryFolder,
  type TemporaryFolder,
} from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import type { Actor } from '../../audit/audit.js';
import { waitUntil } from '../../../../test/fixtures/wait-until.js';
import { readCurrentInfo } from '../directory-store.js';
import { DirectoryImports, type ImportJob, type ImportOutcome, type RunImport } from './directory-imports.js';
import { importDirectory, whileLocked } from './import-directory.js';
import { ImportError } from './import-error.js';

const ada: Actor = { accountId: 'acc_ada', address: '192.0.2.7', via: 'console' };
const NAME = 'ONSPD_AUG_2026_UK.csv';
const ROWS = editionCsv('2026', [HOLYROOD, PALACE]);
const PLAIN = { excludeNorthernIreland: false, force: false };
const LATEST: ImportJob = { source: { kind: 'latest' }, ...PLAIN };
const clock = () => Date.UTC(2026, 10, 23);

let folder: TemporaryFolder;
let imported: string[];
let logged: string[];
beforeEach(async () => {
  folder = await temporaryFolder();
  [imported, logged] = [[], []];
});
afterEach(() => folder.remove());

const note = (_fields: object, message: string) => logged.push(message);

const importsBy = (run: RunImport, maxUploadBytes = 1_000_000) =>
  new DirectoryImports({
    dataDir: folder.dataDir,
    clock,
    run,
    maxUploadBytes,
    log: { debug: note, info: note, warn: note, error: note },
    onImported: ({ accountId }, { edition }) => {
      imported.push(`${accountId} ${edition}`);
      return Promise.resolve();
    },
  });

/** Imports files in this process. */
const runHere: RunImport = async ({ source, ...choices }, onProgress) => {
  if (source.kind !== 'file') throw new Error('Only files are imported here.');
  const { path, name } = source;
  const report = await importDirectory({
    dataDir: folder.dataDir,
    clock,
    onProgress,
    ...choices,
    source: path,
    name,
  });
  return { info: report.info, report };
};

const fileOf = (content: string, name = NAME) => ({
  name,
  totalBytes: undefined,
  body: Readable.from([Buffer.from(content.slice(0, 9)), Buffer.from(content.slice(9))]),
});

/** A body of which only the first part comes. */
function bodyThatStalls(): Readable {
  const body = new Readable({ read: () => undefined });
  body.push(ROWS);
  return body;
}

const left = async () =>
  (await readdir(join(folder.dataDir, 'postcodes'))).filter((name) => /partial$/u.test(name));

test('imports an uploaded file under its own name, and leaves no temporary file behind', async () => {
  const imports = importsBy(runHere);
  await imports.receive(ada, fileOf(ROWS), PLAIN);
  expect(imports.underWay?.what).toBe(NAME);
  await imports.close();
  expect([imports.underWay, imports.last?.problem, imports.last?.what]).toEqual([undefined, undefined, NAME]);
  expect(imports.last?.outcome?.report).toMatchObject({ info: { edition: '2026-08', rows: 2 } });
  expect([imported, await left()]).toEqual([['acc_ada 2026-08'], []]);
  expect((await readCurrentInfo(folder.dataDir)).edition).toBe('2026-08');
  expect(await imports.sizeBytes()).toBeGreaterThan(100);
});

test('shows the progress of an import, and rejects a second one meanwhile', async () => {
  let tell: Parameters<RunImport>[1] = () => undefined;
  let end: (outcome: ImportOutcome) => void = () => undefined;
  const imports = importsBy((_job, onProgress) => {
    tell = onProgress;
    return new Promise((resolve) => (end = resolve));
  });
  imports.start(ada, LATEST);
  expect(imports.underWay).toMatchObject({
    what: 'The newest edition',
    phase: 'start',
    startedAtMs: clock(),
  });
  tell({ phase: 'read', doneBytes: 40, totalBytes: 100 });
  expect(imports.underWay).toMatchObject({ phase: 'read', doneBytes: 40, totalBytes: 100 });
  const rejection = 'Another import is running. Wait until it is done';
  expect(() => imports.start(ada, LATEST)).toThrow(rejection);
  await expect(imports.receive(ada, fileOf(ROWS), PLAIN)).rejects.toThrow(rejection);
  end({ info: await readCurrentInfo(folder.dataDir), report: undefined });
  await imports.close();
  expect(imports.last?.outcome?.report).toBeUndefined();
  expect(imported).toEqual([]);
});

test.each([
  ['a file that is not a directory', fileOf('{"no": "directory"}'), /is JSON/u],
  ['an empty file', { ...fileOf(''), body: Readable.from([]) }, /Choose a file that is not empty/u],
  ['a file above the size limit', fileOf('x'.repeat(1_001)), /more than 1 MB, which no edition/u],
])('rejects %s with a message, and leaves no temporary file behind', async (_what, file, words) => {
  const imports = importsBy(runHere, 1_000);
  await imports.receive(ada, file, PLAIN);
  await imports.close();
  expect(imports.last?.problem).toMatch(words);
  expect([imports.underWay, await left(), imported]).toEqual([undefined, [], []]);
});

test('the import of an upload fails while the import lock is held, and succeeds afterwards', async () => {
  const imports = importsBy(runHere);
  await whileLocked({ dataDir: folder.dataDir, source: 'FILE', clock }, () =>
    imports.receive(ada, fileOf(ROWS), PLAIN),
  );
  expect(imports.last?.problem).toMatch(/^Another import is under way: process \d+ on .* importing FILE\.$/u);
  await imports.receive(ada, fileOf(ROWS), PLAIN);
  await imports.close();
  expect(imports.last?.outcome?.info.edition).toBe('2026-08');
});

test('shows the message of an ImportError; logs any other error, and shows only that the import failed', async () => {
  const refused = importsBy(() => Promise.reject(new ImportError('Line 7 is wrong.')));
  refused.start(ada, LATEST);
  await refused.close();
  expect([refused.last?.problem, logged]).toEqual(['Line 7 is wrong.', []]);

  const broken = importsBy(() => Promise.reject(new Error('a secret path')));
  broken.start(ada, LATEST);
  await broken.close();
  expect(broken.last?.problem).toBe('The import failed. The log of the server says why.');
  expect(logged).toEqual(['The postcode directory cannot be imported.']);
});

test('closing stops an upload that has gone quiet, and waits until its file and the import lock are removed', async () => {
  const imports = importsBy(runHere);
  const received = imports.receive(ada, { ...fileOf(ROWS), body: bodyThatStalls() }, PLAIN);
  await waitUntil('its first part is received', () => (imports.underWay?.doneBytes ?? 0) > 0);
  await imports.close();
  expect(await readdir(join(folder.dataDir, 'postcodes'))).toEqual([]);
  await received;
  expect(imports.underWay).toBeUndefined();
});

test('an upload that has gone quiet ends after a minute, with a message', async () => {
  const imports = importsBy(runHere);
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  try {
    const received = imports.receive(ada, { ...fileOf(ROWS), body: bodyThatStalls() }, PLAIN);
    while ((imports.underWay?.doneBytes ?? 0) === 0) await new Promise((resolve) => setImmediate(resolve));
    jest.advanceTimersByTime(MINUTE_MS);
    await received;
  } finally {
    jest.useRealTimers();
  }
  expect(imports.last?.problem).toBe(`Nothing more of ${NAME} came for a minute. Send it again.`);
  expect(await left()).toEqual([]);
});

test('closing stops the running import', async () => {
  const imports = importsBy(
    (_job, _onProgress, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new ImportError('It was ended.')));
      }),
  );
  imports.start(ada, LATEST);
  await imports.close();
  expect(imports.last?.problem).toBe('It was ended.');
});
