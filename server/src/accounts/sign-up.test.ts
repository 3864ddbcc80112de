import { testContext } from '../../../test/fixtures/domain-context.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { findAccountById } from './account.js';
import { signUp } from './sign-up.js';

const hourMs = 3_600_000;
const hourEndMs = 500_000 * hourMs;
let nowMs: number;
let database: TestDatabase;
let servers: readonly Storage[];

beforeEach(async () => {
  nowMs = hourEndMs;
  database = await createTestDatabase();
  servers = [await database.open(), await database.open()];
});

afterEach(async () => {
  for (const storage of servers) await storage.close();
  await database.remove();
});

function signUpAt(server: number, part: { email: string; name?: string; address?: string }) {
  const { email, name = '', address = '192.0.2.7' } = part;
  const storage = servers[server];
  if (storage === undefined) throw new Error('There is no such server.');
  const context = testContext(storage.db, () => nowMs, { accountId: null, address, via: 'console' });
  return signUp(context, { email, name, password: 'correct horse battery' });
}

const countAccounts = async () => ((await servers[0]?.db('accounts').pluck<string[]>('id')) ?? []).length;

test('signing up creates an account, which has no name if the name in the form is blank', async () => {
  const { id } = await signUpAt(0, { email: ' Ada@example.org', name: ' ' });
  expect(servers[0] && (await findAccountById(servers[0], id))).toMatchObject({
    email: 'ada@example.org',
    name: null,
  });
});

test('ninety concurrent sign-ups from one address on two servers around the end of an hour create twenty accounts', async () => {
  const signUps = Array.from({ length: 90 }, (_, index) => {
    nowMs = hourEndMs - 45 + index;
    return signUpAt(index % 2, { email: `flood-${index}@example.org` });
  });
  const refused = (await Promise.allSettled(signUps)).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(70);
  for (const rejection of refused) expect(rejection).toMatchObject({ reason: { kind: 'rateLimited' } });
  expect(await countAccounts()).toBe(20);
  await signUpAt(0, { email: 'elsewhere@example.org', address: '192.0.2.8' });
  nowMs = hourEndMs + hourMs - 46;
  await expect(signUpAt(1, { email: 'soon@example.org' })).rejects.toMatchObject({ retryAfterSeconds: 1 });
  nowMs = hourEndMs + hourMs + 45;
  await signUpAt(1, { email: 'later@example.org' });
});

test('rejected sign-ups count towards the limit of twenty an hour', async () => {
  await signUpAt(0, { email: 'ada@example.org' });
  for (let time = 1; time < 20; time += 1) {
    await expect(signUpAt(0, { email: 'ada@example.org' })).rejects.toThrow('An account with the e-mail');
  }
  await expect(signUpAt(0, { email: 'ada@example.org' })).rejects.toMatchObject({ kind: 'rateLimited' });
});
