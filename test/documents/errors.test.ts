import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '@signpost/contract';
import { read, root } from './documents.js';

const page = read('docs/reference/errors.md');

const sources = ['contract/src', 'mcp/src', 'server/src']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.tsx?$/u.test(name))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  )
  .join('\n');

test('the page of errors lists every error status that the contract has', () => {
  const cured = [...page.matchAll(/^\| (\d{3}) /gmu)].map(([, status]) => Number(status));
  const statuses = new Set(Object.values(ERRORS).map(({ status }) => status));
  expect(cured).toEqual([...statuses].toSorted((one, other) => one - other));
});

test('every message on the page of errors is in the code', () => {
  const messages = [...page.matchAll(/^\| `(.+?)` /gmu)].map(([, message = '']) => message);
  expect(messages.length).toBeGreaterThan(30);
  expect(messages.filter((message) => !sources.includes(message))).toEqual([]);
});
