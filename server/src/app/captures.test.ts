import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { noCaptures } from '../../../test/fixtures/capture/no-captures.js';
import type { Storage } from '../storage/storage.js';
import { queueForAccounts, cacheBriefly } from './captures.js';

let database: TestDatabase;
let storage: Storage;
beforeAll(async () => {
  database = await createTestDatabase();
  storage = await database.open();
});
afterAll(async () => {
  await storage.close();
  await database.remove();
});

function counted() {
  let nowMs = 1_000;
  const asked: string[] = [];
  const read = cacheBriefly(
    (name: string) => {
      asked.push(name);
      return name === 'broken' ? Promise.reject(new Error('a defect')) : Promise.resolve(asked.length);
    },
    () => nowMs,
  );
  return { asked, read, pass: (ms: number) => (nowMs += ms) };
}

test('cacheBriefly reads a value once in two seconds, also for concurrent calls', async () => {
  const { asked, read, pass } = counted();
  expect(await Promise.all([read('a'), read('b'), read('a')])).toEqual([1, 2, 1]);
  pass(1_999);
  expect(await read('a')).toBe(1);
  pass(2);
  expect(await read('a')).toBe(3);
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('cacheBriefly does not cache a failed read', async () => {
  const { asked, read } = counted();
  await expect(read('broken')).rejects.toThrow('a defect');
  await expect(read('broken')).rejects.toThrow('a defect');
  expect(asked).toHaveLength(2);
});

test('rejects a disabled, expired or revoked key for this reason, even if the capture quota of its account is used up', async () => {
  const { db } = storage;
  const made = { created_at: 0 };
  await db('accounts').insert(accountRow('acc_1'));
  await db('projects').insert({ id: 'prj_1', account_id: 'acc_1', name: 'Map', ...made });
  const keys = [{}, {}, { disabled_at: 1 }, { ends_at: 1_000 }, { revoked_at: 1 }];
  for (const [index, life] of keys.entries()) {
    const key = { id: index + 1, project_id: 'prj_1', hash: `hash ${index}`, prefix: 'sp_live_' };
    await db('api_keys').insert({ ...key, per_minute: null, per_day: null, ...made, ...life });
  }
  const queue = queueForAccounts(noCaptures(), {
    db,
    clock: () => 1_000,
    monotonicMs: () => 0,
    queue: 0,
    capturesPerAccount: 1,
    observer: { onWait: () => undefined, onEnd: () => undefined },
  });
  const reserve = (id: number) => queue.reserve({ id, accountId: 'acc_1' });

  await reserve(1);
  await expect(reserve(2)).rejects.toThrow('the most that it may have');
  await expect(reserve(3)).rejects.toThrow('is disabled');
  await expect(reserve(4)).rejects.toThrow('it ended at 1970-01-01T00:00:01.000Z');
  await expect(reserve(5)).rejects.toThrow('it is unknown or revoked');
  expect(queue.state().rejected).toEqual({ account: 1, queue: 0 });
  await queue.close();
});
