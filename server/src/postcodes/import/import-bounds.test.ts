import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openDirectoryStore } from '../directory-store.js';
import { HOLYROOD, PALACE, editionCsv } from '../../../../test/fixtures/postcodes/editions.js';
import {
  temporaryFolder,
  type TemporaryFolder,
} from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { zipFile } from '../../../../test/fixtures/postcodes/zip-file.js';
import { IMPORT_BOUNDS, MEBIBYTE } from './import-error.js';
import { openZip } from './zip-archive.js';

const GOOD = editionCsv('2025', [HOLYROOD, PALACE], { lineEnd: '\n' });
const DATA = 'Data/ONSPD_AUG_2025_UK.csv';
const TABLE = 'Documents/LAD names and codes.csv';
/** A text that compresses to a thousandth of its size. */
const BOMB = Buffer.alloc(32 * MEBIBYTE, '\n');
const CHUNK = Buffer.alloc(64 * 1024, '\n');

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
  await folder.import('ONSPD_MAY_2025_UK.csv', GOOD);
});
afterEach(() => folder.remove());

async function expectNothingChanged() {
  const files = await readdir(join(folder.dataDir, 'postcodes'));
  expect(files.sort()).toEqual(['current.json', expect.stringMatching(/^onspd-2025-05-[0-9a-f]{8}\.sgp$/u)]);
  const store = await openDirectoryStore({ dataDir: folder.dataDir });
  await store.close();
  expect(store.current().info.edition).toBe('2025-05');
}

describe('an archived file that unpacks to more than its declared size', () => {
  test('does not read an archived file beyond its declared size', async () => {
    const lying = zipFile({ [TABLE]: BOMB }, { declaredBytes: { [TABLE]: 1_000 } });
    const { files, close } = await openZip(await folder.write('a.zip', lying), 'a.zip', 10);
    let bytes = 0;
    const read = async () => {
      for await (const chunk of (await files[0]?.open()) ?? [])
        bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
    };
    await expect(read()).rejects.toThrow(`${TABLE} has more than the 1000 bytes it declares`);
    close();
    expect(bytes).toBeLessThanOrEqual(1_000);
  });

  test.each([
    ['a table of names', { [DATA]: GOOD, [TABLE]: BOMB }, TABLE],
    ['the directory', { [DATA]: Buffer.concat([Buffer.from(GOOD), BOMB]) }, DATA],
  ])(
    'rejects an archived file that unpacks to more than it declares if it is %s, and keeps the previous directory',
    async (_what, files, name) => {
      const lying = zipFile(files, { declaredBytes: { [name]: 1_000 } });
      await expect(folder.import('a.zip', lying, { force: true })).rejects.toThrow(
        `a.zip is not a whole zip archive (${name} has more than the 1000 bytes it declares): fetch it again.`,
      );
      await expectNothingChanged();
    },
  );
});

describe('a source that is larger than any edition', () => {
  const bounds = {
    maxRowsBytes: MEBIBYTE,
    maxTableBytes: MEBIBYTE,
    maxTablesBytes: 2 * MEBIBYTE,
    maxArchiveFiles: 9,
  };
  const large = GOOD + '\n'.repeat(2 * MEBIBYTE);
  const table = `LAD25CD,LAD25NM\nE09000033,Westminster\n${'\n'.repeat(0.9 * MEBIBYTE)}`;
  const tables = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`Documents/${index}.csv`, table]));

  test.each([
    ['rows of a csv', 'a.csv', large, /a\.csv has more than 1 MB, which no edition/u],
    ['rows of a zip', 'a.zip', zipFile({ [DATA]: large }), /a\.zip has more than 1 MB, which no edition/u],
    [
      'rows in several files',
      'a.zip',
      zipFile({
        'Data/multi_csv/EH.csv': GOOD + '\n'.repeat(0.6 * MEBIBYTE),
        'Data/multi_csv/SW.csv': GOOD + '\n'.repeat(0.6 * MEBIBYTE),
      }),
      /a\.zip has more than 1 MB/u,
    ],
    [
      'tables of names together',
      'a.zip',
      zipFile({ [DATA]: GOOD, ...tables(3) }),
      /The tables of names and codes in a\.zip have more than 2 MB/u,
    ],
    ['files', 'a.zip', zipFile({ [DATA]: GOOD, ...tables(9) }), /more than 9 files/u],
  ])(
    'rejects a source with too many or too large %s, and keeps the previous directory',
    async (_what, name, content, message) => {
      await expect(folder.import(name, content, { force: true, bounds })).rejects.toThrow(message);
      await expectNothingChanged();
    },
  );

  test('a source may contain a document that is too large to be a table of names', async () => {
    const archive = zipFile({ [DATA]: GOOD, [TABLE]: table + '\n'.repeat(MEBIBYTE), ...tables(2) });
    expect((await folder.import('a.zip', archive, { bounds })).info.rows).toBe(2);
  });

  test('the bounds of an import are more than twice the sizes of a current edition', () => {
    expect(IMPORT_BOUNDS.maxDownloadBytes).toBeGreaterThan(4 * 240 * MEBIBYTE);
    expect(IMPORT_BOUNDS.maxRowsBytes).toBeGreaterThan(2 * 1_200 * MEBIBYTE);
    expect(IMPORT_BOUNDS.maxTableBytes).toBeGreaterThan(4 * MEBIBYTE);
  });
});

describe('an address that sends more than any edition has', () => {
  const bounds = { maxDownloadBytes: MEBIBYTE };
  const rejection = /\/ONSPD_NOV_2025\.zip sends more than 1 MB, which no edition/u;

  /** Sends without end until the receiver stops reading. */
  const sendForEver = (response: ServerResponse) => {
    const send = () => {
      while (!response.destroyed && response.write(CHUNK));
    };
    response.on('drain', send);
    send();
  };

  async function served(answer: (response: ServerResponse, path: string) => void) {
    const ends: Promise<unknown>[] = [];
    const server = createServer((request, response) => {
      ends.push(once(response, 'close'));
      answer(response, request.url ?? '');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    /** Resolves once every response has ended. The importer must end those that it stops reading. */
    const ended = async () => {
      await Promise.all(ends);
      server.close();
      server.closeAllConnections();
    };
    return { url: `http://127.0.0.1:${port}/ONSPD_NOV_2025.zip`, ended };
  }

  test.each([
    [
      'declared',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': 2 * MEBIBYTE });
        sendForEver(response);
      },
    ],
    ['not declared', sendForEver],
    [
      'behind a redirect',
      (response: ServerResponse, path: string) => {
        if (path.startsWith('/ONSPD')) response.writeHead(302, { location: '/elsewhere.zip' }).end();
        else sendForEver(response);
      },
    ],
    [
      'compressed on its way',
      (response: ServerResponse) => {
        const body = gzipSync(BOMB);
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body);
      },
    ],
  ])(
    'an address that sends too much (%s) is rejected; no file is left, and the previous directory stays',
    async (_how, answer) => {
      const server = await served(answer);
      const attempt = folder.import('unused', '', { source: server.url, bounds });
      await expect(attempt).rejects.toThrow(rejection);
      await server.ended();
      await expectNothingChanged();
    },
  );

  test('fetches an address that sends exactly the maximum size', async () => {
    const archive = zipFile({ 'Data/postcodes.csv': GOOD });
    const server = await served((response) => response.end(archive));
    const { info } = await folder.import('unused', '', {
      source: server.url,
      bounds: { maxDownloadBytes: archive.length },
    });
    await server.ended();
    expect(info.edition).toBe('2025-11');
  });
});
