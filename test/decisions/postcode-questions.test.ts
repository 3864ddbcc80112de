import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { FULL_HEADER, fullRow } from '../fixtures/postcodes/full-edition.js';
import { temporaryFolder } from '../fixtures/postcodes/temporary-folder.js';
import { waitUntil } from '../fixtures/wait-until.js';

const page = join(import.meta.dirname, '../../docs/how-to/ask-about-postcodes.md');
const ROW = /^\|\s*(.+?)\s*\|\s*`(\/api\/[^`]+)`\s*\|\s*(?:`([^`]+)`)?\s*\|\s*`([^`]+)`\s*\|$/gmu;

/** Matches the body of a request for fields that the sample does not have. */
const NEEDS_EDITION = /"include": \[.*"(?:areas|history)"/u;

let sample: ConsoleApp;
let edition: ConsoleApp;

beforeAll(async () => {
  [sample, edition] = await Promise.all([startConsoleApp(UNLIMITED), startConsoleApp(UNLIMITED)]);
  const folder = await temporaryFolder();
  const csv = [FULL_HEADER, fullRow('SW1A 1AA'), fullRow('NPT 0AD', '201907'), fullRow('JE1 1AA'), ''].join(
    '\n',
  );
  await folder.import('ONSPD_AUG_2025_UK.csv', csv, { dataDir: edition.dataDir });
  await folder.remove();
  await waitUntil('the edition is in use', async () => {
    const answer = await edition.get('/api/postcode/directory');
    return valueAt(await answer.json(), 'edition') === '2025-08';
  });
});
afterAll(() => Promise.all([sample.close(), edition.close()]));

/** The value at a path such as "results.0.postcode"; undefined if it is missing. */
const valueAt = (answer: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      answer,
    );

test('each question in docs/how-to/ask-about-postcodes.md has an answer in the field named beside it', async () => {
  const rows = [...(await readFile(page, 'utf8')).matchAll(ROW)];
  expect(rows.length).toBeGreaterThan(20);
  for (const [, question, path = '', body, place = ''] of rows) {
    const server = NEEDS_EDITION.test(body ?? '') ? edition : sample;
    const answer = await (body === undefined ? server.get(path) : server.post(path, JSON.parse(body)));
    expect([question, answer.status]).toEqual([question, 200]);
    expect([question, valueAt(await answer.json(), place) ?? null]).not.toEqual([question, null]);
  }
});
