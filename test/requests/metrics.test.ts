import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { CaptureService } from '../../server/src/capture/capture-service.js';
import { METRICS } from '../../server/src/http/metric-table.js';
import { ServiceError } from '../../server/src/platform/errors.js';
import { openSqliteQueries } from '../../server/src/storage/sqlite/sqlite-queries.js';
import { noCaptures, PICTURE } from '../fixtures/capture/no-captures.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { signInFirstOperator } from '../fixtures/first-operator.js';
import { runSignpost } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const backupReport = z.object({ createdAt: z.string() });

let app: ConsoleApp;

/** Stands for the capture service: every picture succeeds, and every PDF fails with a timeout. */
const captures = (): Promise<CaptureService> =>
  Promise.resolve({
    ...noCaptures(),
    screenshot: () => Promise.resolve(PICTURE),
    pdf: () => Promise.reject(new ServiceError('timeout', 'The page was not complete.')),
    state: () => ({
      ...noCaptures().state(),
      slots: 3,
      restarts: 2,
      endpoints: [{ name: 'one', browser: 'ready', active: 0, problem: undefined }],
    }),
  });

const settings = {
  ...UNLIMITED,
  // Nothing listens there.
  SIGNPOST_SMTP_URL: 'smtp://127.0.0.1:1',
  SIGNPOST_MAIL_FROM: 'Signpost <signpost@example.org>',
};
beforeAll(async () => (app = await startConsoleApp(settings, captures)));
afterAll(() => app.close());

const scrape = async () => (await fetch(`${app.url}/metrics`)).text();

/** The value of a series, as "name" or 'name{label="value"}'; undefined if it is missing. */
async function figureOf(series: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

const capturesOf = (kind: string, outcome: string) =>
  figureOf(`signpost_captures_total{kind="${kind}",outcome="${outcome}"}`);

test('every counter has a name that ends in _total, and no other metric does', async () => {
  const families = [...(await scrape()).matchAll(/^# TYPE (\S+) (\S+)$/gmu)].map(([, name = '', type]) => ({
    name,
    type,
  }));
  expect(families.length).toBeGreaterThan(20);
  expect(families.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
  expect(await figureOf('signpost_browser_restarts_total')).toBe(2);
  // A counter has the same value, however often it is read.
  expect(await figureOf('signpost_browser_restarts_total')).toBe(2);
});

test('the metrics are those of the table METRICS, with its types and a text each', async () => {
  const families = [...(await scrape()).matchAll(/^# HELP (signpost_\S+) (.+)\n# TYPE \S+ (\S+)$/gmu)];
  const served = families.map(([, name, help, type]) => [name, { help, type }]);
  const described = Object.entries(METRICS).map(([name, { type }]) => [
    name,
    { help: expect.stringMatching(/^[^`[\]]+\.$/u), type },
  ]);
  expect(Object.fromEntries(served)).toEqual(Object.fromEntries(described));
});

test.each(['grafana-dashboard.json', 'prometheus-alerts.yaml'])(
  '%s uses only metrics that the server has',
  async (name) => {
    const text = await readFile(join(import.meta.dirname, '../../deploy', name), 'utf8');
    const named = new Set(text.match(/\b(?:signpost|process|nodejs)_\w+/gu));
    // Request durations only appear after the first request.
    await app.get('/api/usage');
    const told = new Set((await scrape()).match(/^\w+/gmu));
    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((metric) => !told.has(metric))).toEqual([]);
  },
);

test('captures are counted by kind and outcome, starting at 0, failed ones also by reason, and their waits are counted', async () => {
  expect(await capturesOf('pdf', 'internal')).toBe(0);
  const url = 'https://page.example/';
  expect((await app.post('/api/screenshot', { url })).status).toBe(200);
  expect((await app.post('/api/pdf', { url })).status).toBe(504);
  expect(await capturesOf('screenshot', 'done')).toBe(1);
  expect(await capturesOf('pdf', 'timeout')).toBe(1);
  expect(await capturesOf('pdf', 'done')).toBe(0);
  expect(await figureOf('signpost_capture_wait_seconds_count')).toBe(2);
  expect(await figureOf('signpost_captures_failed_total{reason="timeout"}')).toBe(1);
  expect(await figureOf('signpost_captures_failed_total{reason="certificate"}')).toBe(0);
});

test('mails that could not be sent are counted, except those to an address at localhost', async () => {
  const unsent = () => figureOf('signpost_mails_unsent_total');
  expect(await unsent()).toBe(0);
  const operator = await signInFirstOperator(app);
  for (const email of ['nobody@localhost', 'ada@example.org', 'alan@example.org'])
    await operator.submit('/operator/accounts', { email, name: '' });
  await waitUntil('both mails have failed', async () => (await unsent()) === 2);
});

test('each batch of counted requests is in the metric of durations, and a failed batch is counted', async () => {
  const batches = async () => Number(await figureOf('signpost_database_batch_duration_seconds_count'));
  const before = await batches();
  await app.get('/api/usage');
  expect(await batches()).toBe(before + 1);
  expect(await figureOf('signpost_database_write_failures_total')).toBe(0);
  expect(await figureOf('signpost_database_up')).toBe(1);

  const other = await openSqliteQueries(join(app.dataDir, 'signpost.db'));
  await other.all('BEGIN IMMEDIATE', []);
  expect((await app.get('/api/usage')).status).toBe(503);
  expect(await figureOf('signpost_database_write_failures_total')).toBe(1);
  expect(await figureOf('signpost_database_up')).toBe(0);

  await other.all('ROLLBACK', []);
  await other.close();
  await waitUntil('requests are counted again', async () => {
    app.pass(5_000);
    return (await figureOf('signpost_database_up')) === 1;
  });
});

test('the metrics include the version and the free space on the disk of the data folder', async () => {
  expect(await scrape()).toMatch(/^signpost_build_info\{version="\d+\.\d+\.\d+",node="v\d[^"]*"\} 1$/mu);
  const free = Number(await figureOf('signpost_data_disk_free_bytes'));
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThan(Number(await figureOf('signpost_data_disk_size_bytes')));
});

test('the metrics include the time of the newest backup, and 0 before the first', async () => {
  const backupAt = () => figureOf('signpost_backup_timestamp_seconds');
  expect(await backupAt()).toBe(0);
  const { code, stdout, stderr } = await runSignpost(app.dataDir, [
    'backup',
    join(app.dataDir, 'first.backup'),
    '--json',
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { createdAt } = backupReport.parse(JSON.parse(stdout));
  expect(await backupAt()).toBe(Date.parse(createdAt) / 1_000);
});
