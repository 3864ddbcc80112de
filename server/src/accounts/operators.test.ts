import { testContext } from '../../../test/fixtures/domain-context.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { Actor } from '../audit/audit.js';
import type { AccountRow } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import type { AccountContext } from './account-context.js';
import { disableAccount, setOperator } from './account-state.js';
import { findAccountById } from './account.js';
import { createAccount } from './create-account.js';
import { deleteAccount, deleteOwnAccount } from './delete-account.js';

const password = 'correct horse battery';
const OPERATOR: Actor = { accountId: 'acc_operator', address: '203.0.113.9', via: 'console' };

let database: TestDatabase;
let storage: Storage;
let operator: AccountContext;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  await storage.db('installation').insert({ id: 1, secret_fingerprint: 'x', created_at: 0 });
  operator = testContext(storage.db, () => 1_000, OPERATOR);
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const addOperator = async (email: string, disabledAt: number | null = null) => {
  const { account } = await createAccount(operator, { email, password, isOperator: true });
  await storage.db<AccountRow>('accounts').where({ id: account.id }).update({ disabled_at: disabledAt });
  return account.id;
};

const lastOperator = /last enabled operator/u;

test('the last enabled operator cannot be demoted, disabled or deleted', async () => {
  const id = await addOperator('only@example.org');
  await addOperator('disabled@example.org', 1);
  const only = { ...operator, actor: { ...OPERATOR, accountId: id } };
  const before = await storage.db('audit');
  await expect(setOperator(operator, id, false)).rejects.toThrow(lastOperator);
  await expect(disableAccount(operator, id)).rejects.toThrow(lastOperator);
  await expect(deleteAccount(operator, id)).rejects.toThrow(lastOperator);
  await expect(deleteOwnAccount(only, id, password)).rejects.toThrow(lastOperator);
  expect(await findAccountById(operator, id)).toMatchObject({ isOperator: true, disabledAtMs: null });
  expect(await storage.db('audit')).toEqual(before);
});

const ways: readonly [string, (context: AccountContext, id: string) => Promise<void>][] = [
  ['demoted', (context, id) => setOperator(context, id, false)],
  ['disabled', disableAccount],
  ['deleted', (context, id) => deleteAccount(context, id)],
];

test.each(ways)(
  'if both remaining operators are %s at once on two servers, one of them stays an operator',
  async (_, end) => {
    const ids = [await addOperator('one@example.org'), await addOperator('two@example.org')];
    const other = await database.open();
    try {
      const contexts = [operator, { ...operator, db: other.db }];
      const ended = await Promise.allSettled(ids.map((id, index) => end(contexts[index] ?? operator, id)));
      expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const left = await storage.db('accounts').where({ is_operator: true, disabled_at: null });
      expect(left).toHaveLength(1);
    } finally {
      await other.close();
    }
  },
);
