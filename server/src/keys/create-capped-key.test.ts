import { accountRow } from '../../../test/fixtures/storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { createKey } from './create-key.js';
import { revokeKey } from './revoke-key.js';

const dayMs = 86_400_000;
let nowMs: number;
let database: TestDatabase;
let storage: Storage;
const contextOn = ({ db }: Storage) => testContext(db, () => nowMs);

beforeEach(async () => {
  nowMs = 1_000 * dayMs + 5;
  database = await createTestDatabase();
  storage = await database.open();
  await storage.db('accounts').insert([accountRow('acc_1'), accountRow('acc_2')]);
  await storage.db('projects').insert([
    { id: 'prj_1', account_id: 'acc_1', name: 'Map', created_at: 0 },
    { id: 'prj_2', account_id: 'acc_1', name: 'Atlas', created_at: 0 },
    { id: 'prj_3', account_id: 'acc_2', name: 'Map', created_at: 0 },
  ]);
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const create = (projectId = 'prj_1', accountId = 'acc_1', on: Storage = storage) =>
  createKey(contextOn(on), { accountId, projectId });

async function createTimes(times: number, projectId?: string) {
  for (let time = 0; time < times; time += 1) await create(projectId);
}

const liveKeyIds = (): Promise<number[]> => storage.db('api_keys').whereNull('revoked_at').pluck('id');

async function revokeTimes(times: number) {
  for (const id of (await liveKeyIds()).slice(0, times))
    await revokeKey(contextOn(storage), { id, prefix: 'sp_live_x', accountId: 'acc_1' });
}

test('creates only twenty of sixty keys that are requested for an account at once on two servers', async () => {
  const elsewhere = await database.open();
  try {
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        create(index % 3 === 0 ? 'prj_1' : 'prj_2', 'acc_1', index % 2 === 0 ? storage : elsewhere),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ kind: 'invalidRequest' });
    expect(await liveKeyIds()).toHaveLength(20);
  } finally {
    await elsewhere.close();
  }
});

test('allows an account twenty live keys over all its projects, and says so in the rejection', async () => {
  await createTimes(19);
  await create('prj_2');
  await expect(create('prj_2')).rejects.toThrow(/^You have 20 live keys, the most that an account may make/u);
  await create('prj_3', 'acc_2');
  expect(await liveKeyIds()).toHaveLength(21);
});

test('revoking a key that was created today makes room for a new one only tomorrow', async () => {
  await createTimes(20);
  await revokeTimes(20);
  await expect(create()).rejects.toThrow(
    /^You have 0 live keys, and 20 of those made today \(UTC\) are revoked or have ended/u,
  );
  nowMs = 1_001 * dayMs - 1;
  await expect(create()).rejects.toMatchObject({ kind: 'invalidRequest' });
  nowMs += 1;
  await createTimes(20);
  await expect(create()).rejects.toThrow(/^You have 20 live keys/u);
});

test('revoking a key of an earlier day makes room for a new one at once', async () => {
  await createTimes(20);
  nowMs += dayMs;
  await revokeTimes(3);
  await createTimes(3);
  await expect(create()).rejects.toThrow(/^You have 20 live keys/u);
  await revokeTimes(1);
  await create();
});

test('counts keys that operators made for the account, and lets operators make more', async () => {
  for (let time = 0; time < 25; time += 1)
    await createKey(contextOn(storage), { accountId: 'acc_1', projectId: 'prj_1', mayExceedMaximum: true });
  await expect(create()).rejects.toThrow(/^You have 25 live keys/u);
});
