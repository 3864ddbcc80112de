import { testContext } from '../../../test/fixtures/domain-context.js';
import type { Actor } from '../audit/audit.js';
import type { DomainContext } from '../audit/domain-context.js';
import { listEntries } from '../audit/read-audit.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { chooseSignUp, readSignUp, readSignUpChoice, type SignUpSetting } from './sign-up.js';

const ada: Actor = { accountId: 'acc_ada', address: '192.0.2.7', via: 'console' };
const clock = () => Date.UTC(2026, 0, 2);

let database: TestDatabase;
let storage: Storage;
let context: DomainContext;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  context = testContext(storage.db, clock, ada);
  await storage.db('installation').insert({ id: 1, secret_fingerprint: 'x', created_at: 0 });
});
afterEach(async () => {
  await storage.close();
  await database.remove();
});

const choose = (setting: SignUpSetting, isOpen: boolean) => chooseSignUp(context, setting, isOpen);

test.each([true, false])(
  'if sign-up is not configured (open by default: %s), an operator chooses for all servers',
  async (isOpen) => {
    const setting = { isSignUpOpen: isOpen, isSignUpDefault: true };
    const other = await database.open();
    expect([await readSignUp(storage, setting), await readSignUpChoice(storage)]).toEqual([
      isOpen,
      undefined,
    ]);
    await choose(setting, !isOpen);
    expect([await readSignUp(storage, setting), await readSignUp(other, setting)]).toEqual([
      !isOpen,
      !isOpen,
    ]);
    await choose(setting, isOpen);
    expect(await readSignUp(other, setting)).toBe(isOpen);
    await other.close();
    const kinds = (await listEntries(storage.db, { limit: 9 })).map(({ kind, actor }) => [kind, actor?.id]);
    const [closed, opened] = [
      ['sign-up.closed', 'acc_ada'],
      ['sign-up.opened', 'acc_ada'],
    ];
    expect(kinds).toEqual(isOpen ? [opened, closed] : [closed, opened]);
  },
);

test('SIGNPOST_SIGNUP takes precedence over the choice of an operator', async () => {
  await choose({ isSignUpOpen: false, isSignUpDefault: true }, true);
  const configured = { isSignUpOpen: false, isSignUpDefault: false };
  expect(await readSignUp(storage, configured)).toBe(false);
  await expect(choose(configured, true)).rejects.toThrow(/SIGNPOST_SIGNUP decides.*remove it/u);
  expect(await readSignUpChoice(storage)).toBe(true);
});
