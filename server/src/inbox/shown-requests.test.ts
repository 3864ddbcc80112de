import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { createTestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { listLimitRequests } from './inbox.js';

test('shows the owner of an account its 20 newest requests for higher limits, however many were decided', async () => {
  const database = await createTestDatabase();
  const storage = await database.open();
  const { db } = storage;
  await db('accounts').insert(accountRow('acc_ada', { email: 'ada@example.org' }));
  await db('inbox_requests').insert(
    Array.from({ length: 30 }, (_, nth) => ({
      ...{ id: `req_${nth}`, kind: 'limits', subject: `limits ${nth}`, account_id: 'acc_ada' },
      ...{ asked_at: nth, outcome: 'refused', decided_at: nth },
    })),
  );
  const shown = await listLimitRequests(storage, 'acc_ada');
  expect(shown.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, nth) => `req_${29 - nth}`));
  await storage.close();
  await database.remove();
});
