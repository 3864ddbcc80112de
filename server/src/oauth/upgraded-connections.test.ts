import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { createHash } from 'node:crypto';
import { createTestDatabase } from '../../../test/fixtures/storage/test-database.js';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

test('migration 019-connection-tokens keeps the access token and the refresh token of a connection', async () => {
  const database = await createTestDatabase();
  const before = await database.open();
  await before.db.schema.dropTable('oauth_replaced_tokens');
  await before.db.schema.dropTable('oauth_access_tokens');
  await before.db('migrations').where({ name: '019-connection-tokens' }).delete();
  await before.db('accounts').insert(accountRow('acc_1'));
  await before.db('projects').insert({ id: 'prj_1', account_id: 'acc_1', name: 'Map', created_at: 0 });
  const key = { project_id: 'prj_1', prefix: 'sp_live_x', created_at: 0 };
  for (const hash of ['one', 'two']) await before.db('api_keys').insert({ ...key, hash });
  const [first, second] = await before.db('api_keys').orderBy('id').pluck('id');
  const connection = {
    client_id: 'client_1',
    client_name: '',
    redirect_uri: 'https://a.example/',
    resource: 'r',
    code_challenge: '',
    expires_at: 9_000,
    created_at: 0,
  };
  await before.db('oauth_connections').insert([
    {
      ...connection,
      id: 'con_1',
      key_id: first,
      code_hash: 'one',
      family_hash: hashOf('family'),
      access_hash: hashOf('access'),
      access_expires_at: 5_000,
      refresh_hash: hashOf('turn'),
    },
    { ...connection, id: 'con_2', key_id: second, code_hash: 'two' },
  ]);
  await before.close();

  const after = await database.open();
  expect(await after.db('oauth_access_tokens').select()).toEqual([
    { hash: hashOf('access'), connection_id: 'con_1', expires_at: 5_000 },
  ]);
  expect(await after.db('oauth_connections').where({ id: 'con_1' }).first()).toMatchObject({
    family_hash: hashOf('family'),
    refresh_hash: hashOf('turn'),
    expires_at: 9_000,
  });
  await after.close();
  await database.remove();
});
