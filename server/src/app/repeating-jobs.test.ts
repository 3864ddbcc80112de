import { silentLog } from '../../../test/fixtures/silent-log.js';
import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { randomBytes } from 'node:crypto';
import { createAudit } from '../audit/audit.js';
import { createCaptureCaches } from '../operations/capture-cache.js';
import type { Log } from '../platform/log.js';
import type { StartTimer } from '../platform/repeat.js';
import { DAY_MINUTES, DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time-units.js';
import type { PreparedQueries, Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { RequestRecorder } from '../usage/request-recorder.js';
import { startRepeatingJobs } from './repeating-jobs.js';

const NOW_MS = 20_000 * DAY_MS;
const clock = () => NOW_MS;
const NOW_MINUTE = NOW_MS / MINUTE_MS;

let database: TestDatabase;
let storage: Storage;
let queries: PreparedQueries;
let recorder: RequestRecorder;
let warnings: string[];
let ticks: (() => void)[];

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  queries = await storage.openPreparedQueries();
  recorder = new RequestRecorder({
    queries,
    dialect: storage.dialect,
    clock,
    randomBytes,
    onFailure: (error) => warnings.push(String(error)),
  });
  warnings = [];
  ticks = [];
});
afterEach(async () => {
  await queries.close();
  await database.remove();
});

function start() {
  const ignore = () => undefined;
  const log: Log = { ...silentLog, warn: (_fields, message) => warnings.push(message) };
  const startTimer: StartTimer = (onTick) => {
    ticks.push(onTick);
    return ignore;
  };
  const core = {
    installation: { storage, clock },
    audit: createAudit({ clock, randomBytes, log }),
    captureCaches: createCaptureCaches(() => 0, 1_000_000),
    recorder,
  };
  return startRepeatingJobs(core, { isOn: true, limits: ignore }, log, startTimer);
}

/** Adds the usage of a minute that is old enough to be removed, and of one that is not. */
const addUsage = () =>
  storage
    .db('usage_minutes')
    .insert([0, 3 * DAY_MINUTES + 1].map((age) => ({ key_id: 1, minute: NOW_MINUTE - age, requests: 5 })));

test('removes old usage and old audit entries even if the server stops right after its start', async () => {
  await addUsage();
  await storage
    .db('audit')
    .insert([0, 401].map((days) => ({ id: `${days}`, at: NOW_MS - days * DAY_MS, kind: 'x', via: 'y' })));
  await start().stop();
  expect(await storage.db('usage_minutes').pluck('minute')).toEqual([NOW_MINUTE]);
  expect(await storage.db('audit').pluck('id')).toEqual(['0']);
  expect(warnings).toEqual([]);
  await storage.close();
});

const KEY = { id: 1, project_id: 'prj_ada', hash: 'a', prefix: 'sp_live_a', created_at: 0 };

async function addKey(): Promise<void> {
  await storage.db('accounts').insert(accountRow('acc_ada', { email: 'ada@example.org' }));
  await storage.db('projects').insert({ id: 'prj_ada', account_id: 'acc_ada', name: 'x', created_at: 0 });
  await storage.db('api_keys').insert(KEY);
}

test('turns the counts by minute that a killed server stored into sums by hour and by day', async () => {
  await addKey();
  const killed = new RequestRecorder({
    queries,
    dialect: storage.dialect,
    randomBytes,
    clock: () => NOW_MS - 5 * HOUR_MS,
    onFailure: (error) => warnings.push(String(error)),
  });
  const request = { keyId: 1, operation: 'x', status: 200, elapsedMs: 1, isCounted: true, requestId: 'r' };
  killed.record(request);
  await killed.store();
  await start().stop();
  const sums = storage.db('usage_counts').where({ key_id: 1, requests: 1 }).orderBy('span_minutes');
  expect(await sums.pluck('span_minutes')).toEqual([60, 1_440]);
  expect(warnings).toEqual([]);
  await storage.close();
});

test('stores finished requests at the next tick of the timer, even if no more requests come', async () => {
  await addKey();
  const jobs = start();
  await jobs.stop();
  recorder.record({ keyId: 1, operation: 'x', status: 200, elapsedMs: 1, isCounted: true, requestId: 'r' });
  ticks[0]?.();
  await jobs.stop();
  expect(await storage.db('usage_counts').where({ key_id: 1 }).pluck('span_minutes')).toContain(1);
  await storage.close();
});

test('logs a failed job and when it will run again, and runs it again', async () => {
  await storage.close();
  const jobs = start();
  await jobs.stop();
  expect(warnings).toContain('Could not remove old usage. Trying again in 60 minutes.');
  expect(warnings).toContain('Could not mail owners about their limits. Trying again in 60 seconds.');
  const before = warnings.length;
  for (const tick of ticks) tick();
  await jobs.stop();
  expect(warnings).toHaveLength(2 * before);
});
