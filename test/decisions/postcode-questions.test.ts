import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UNLIMITED } from '../faults/support/unlimited.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';

const page = join(import.meta.dirname, '../../docs/how-to/ask-about-postcodes.md');
const ROW = /^\|\s*(.+?)\s*\|\s*`(\/api\/[^`]+)`\s*\|\s*(?:`([^`]+)`)?\s*\|\s*`([^`]+)`\s*\|$/gmu;

let server: ConsoleApp;

beforeAll(async () => {
  server = await startConsoleApp(UNLIMITED);
});
afterAll(() => server.close());

/** What is at a path such as "results.0.postcode"; undefined where nothing is. */
const valueAt = (answer: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      answer,
    );

test('each question of the page is answered where the page says', async () => {
  const rows = [...(await readFile(page, 'utf8')).matchAll(ROW)];
  expect(rows.length).toBeGreaterThan(20);
  for (const [, question, path = '', body, place = ''] of rows) {
    const answer = await (body === undefined ? server.get(path) : server.post(path, JSON.parse(body)));
    expect([question, answer.status]).toEqual([question, 200]);
    expect([question, valueAt(await answer.json(), place)]).not.toEqual([question, undefined]);
  }
});
