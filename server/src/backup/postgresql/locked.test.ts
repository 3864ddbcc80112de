import { join } from 'node:path';
import { systemRandomBytes as randomBytes } from '../../platform/random.js';
import { backUpInstallation } from '../back-up-installation.js';
import { restoreInstallation } from '../restore-installation.js';
import { insertAwkwardRows } from '../../../../test/fixtures/backup/awkward-rows.js';
import { bind, clock, createTestInstallation } from '../../../../test/fixtures/backup/test-installation.js';

test('if a restore cannot lock the tables, it says so, changes nothing and does not delay readers', async () => {
  const { location, storage, folder, remove } = await createTestInstallation();
  const path = join(folder, 'signpost.backup');
  await bind(storage.db);
  await insertAwkwardRows(storage.db);
  await backUpInstallation({ location, path, force: false, clock, randomBytes });
  await storage.db('return_urls').delete();
  const restore = () => restoreInstallation({ location, path, force: true, randomBytes });

  await storage.db.transaction(async (other) => {
    await other('accounts').where({ id: 'acc_1' }).update({ name: 'held' });
    const refused = expect(restore()).rejects.toThrow(/keeps the database locked.*Nothing was changed/u);
    expect(await storage.db('projects').pluck('id')).toHaveLength(2);
    await refused;
  });
  expect(await storage.db('return_urls').select()).toEqual([]);
  await restore();
  expect(await storage.db('return_urls').pluck('id')).toEqual(['ret_1']);
  await remove();
});
