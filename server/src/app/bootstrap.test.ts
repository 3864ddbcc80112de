import { verify } from '@node-rs/argon2';
import { createSecretKey } from 'node:crypto';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { createKeyFinder } from '../keys/key-finder.js';
import { bindInstallation } from '../secret/installation.js';
import { systemRandomBytes } from '../platform/random.js';
import { createAudit } from '../audit/audit.js';
import { createAccount } from '../accounts/create-account.js';
import { bootstrapInstallation } from './bootstrap.js';
import { listAccounts } from '../accounts/account.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { cheapPasswordHasher } from '../../../test/fixtures/cheap-passwords.js';

const clock = () => 1_000;
const maker = {
  randomBytes: systemRandomBytes,
  clock,
  passwordHasher: cheapPasswordHasher(),
  audit: createAudit({ clock, randomBytes: systemRandomBytes }),
};
let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.remove());

const secret = createSecretKey(Buffer.alloc(32, 7));
const keyPepper = secret;

async function open() {
  const storage = await database.open();
  await bindInstallation(storage.db, secret, maker);
  return storage;
}

test('creates an operator whose password must be changed, a project and a working key in an empty database', async () => {
  const storage = await open();
  const first = await bootstrapInstallation({ ...maker, db: storage.db, keyPepper });
  expect(first).toMatchObject({ email: 'operator@localhost', projectName: 'First project' });
  expect(await listAccounts(storage)).toMatchObject([
    { email: 'operator@localhost', isOperator: true, mustChangePassword: true },
  ]);
  const [hash] = await storage.db('accounts').pluck('password_hash');
  expect(await verify(String(hash), first?.password ?? '')).toBe(true);
  const queries = await storage.openPreparedQueries();
  expect(await createKeyFinder(queries, keyPepper)(first?.key ?? '')).toMatchObject({ id: 1 });
  await queries.close();
  await storage.close();
});

test('sets up nothing in a database that has an account', async () => {
  const storage = await open();
  await createAccount(testContext(storage.db, clock), { email: 'ada@example.org' });
  expect(await bootstrapInstallation({ ...maker, db: storage.db, keyPepper })).toBeUndefined();
  expect(await listAccounts(storage)).toHaveLength(1);
  await storage.close();
});

test('sets up the database once, even if two servers start at the same time', async () => {
  const storages = await Promise.all([open(), open()]);
  const results = await Promise.all(
    storages.map((storage) => bootstrapInstallation({ ...maker, db: storage.db, keyPepper })),
  );
  expect(results.filter((result) => result !== undefined)).toHaveLength(1);
  for (const storage of storages) {
    expect(await listAccounts(storage)).toHaveLength(1);
    expect(await storage.db('api_keys')).toHaveLength(1);
    await storage.close();
  }
});

test('stores nothing if setting up an empty database fails at its last step', async () => {
  const storage = await open();
  const { audit } = maker;
  const record: typeof audit.record = (db, actor, act) =>
    act.kind === 'key.created' ? Promise.reject(new Error('out of space')) : audit.record(db, actor, act);
  const failing = { ...maker, audit: { ...audit, record } };
  await expect(bootstrapInstallation({ ...failing, db: storage.db, keyPepper })).rejects.toThrow(
    'out of space',
  );
  for (const table of ['accounts', 'projects', 'api_keys', 'audit'])
    expect([table, await storage.db(table)]).toEqual([table, []]);
  await storage.close();
});
