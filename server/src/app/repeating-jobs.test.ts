import { randomBytes } from 'node:crypto';
import { createAudit } from '../audit/audit.js';
import { createCapturedAnswers } from '../operations/captured-answers.js';
import type { Log } from '../platform/log.js';
import type { StartTimer } from '../platform/repeat.js';
import { DAY_MINUTES, DAY_MS, MINUTE_MS } from '../platform/time-units.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { startRepeatingJobs } from './repeating-jobs.js';

const NOW_MS = 20_000 * DAY_MS;
const NOW_MINUTE = NOW_MS / MINUTE_MS;

let database: TestDatabase;
let storage: Storage;
let warnings: string[];
let ticks: (() => void)[];

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  warnings = [];
  ticks = [];
});
afterEach(() => database.remove());

function start() {
  const clock = () => NOW_MS;
  const ignore = () => undefined;
  const log: Log = {
    ...{ debug: ignore, info: ignore, error: ignore },
    warn: (_fields, message) => warnings.push(message),
  };
  const startTimer: StartTimer = (onTick) => {
    ticks.push(onTick);
    return ignore;
  };
  const core = {
    installation: { storage, clock },
    audit: createAudit({ clock, randomBytes, log }),
    answers: createCapturedAnswers(() => 0, 1_000_000),
  };
  return startRepeatingJobs(core, { isOn: true, limits: ignore }, log, startTimer);
}

/** What a key used in a minute that is past its time, and in one that is not. */
const addUsage = () =>
  storage
    .db('usage_minutes')
    .insert([0, 3 * DAY_MINUTES + 1].map((age) => ({ key_id: 1, minute: NOW_MINUTE - age, requests: 5 })));

test('a server that stops right after its start has removed old usage and old audit entries', async () => {
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

test('a job that fails says so in the log with when it is tried again, and is tried again', async () => {
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
