import { createAudit, type Actor } from '../audit/audit.js';
import { listEntries } from '../audit/read-audit.js';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { createSignUpSetting, readSignUpChoice } from './sign-up-setting.js';

const ada: Actor = { accountId: 'acc_ada', address: '192.0.2.7', via: 'console' };
const clock = () => Date.UTC(2026, 0, 2);

let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  await storage.db('installation').insert({ id: 1, secret_fingerprint: 'x', created_at: 0 });
});
afterEach(async () => {
  await storage.close();
  await database.remove();
});

const audit = createAudit({ clock, randomBytes });
const settingOf = (config: { readonly isSignUpOpen: boolean; readonly isSignUpDefault: boolean }) =>
  createSignUpSetting({ db: storage.db, audit, ...config });

test.each([true, false])(
  'where nobody said anything, %s, an operator chooses for all servers',
  async (isOpen) => {
    const one = settingOf({ isSignUpOpen: isOpen, isSignUpDefault: true });
    const other = settingOf({ isSignUpOpen: isOpen, isSignUpDefault: true });
    expect([await one.isOpen(), await readSignUpChoice(storage.db)]).toEqual([isOpen, undefined]);
    await one.choose(ada, !isOpen);
    expect([await one.isOpen(), await other.isOpen()]).toEqual([!isOpen, !isOpen]);
    await other.choose(ada, isOpen);
    expect(await one.isOpen()).toBe(isOpen);
    const kinds = (await listEntries(storage.db, { limit: 9 })).map(({ kind, actor }) => [kind, actor?.id]);
    const [closed, opened] = [
      ['sign-up.closed', 'acc_ada'],
      ['sign-up.opened', 'acc_ada'],
    ];
    expect(kinds).toEqual(isOpen ? [opened, closed] : [closed, opened]);
  },
);

test('uses the configuration rather than the choice of an operator', async () => {
  await settingOf({ isSignUpOpen: false, isSignUpDefault: true }).choose(ada, true);
  const configured = settingOf({ isSignUpOpen: false, isSignUpDefault: false });
  expect([configured.isConfigured, await configured.isOpen()]).toEqual([true, false]);
  await expect(configured.choose(ada, true)).rejects.toThrow(/SIGNPOST_SIGNUP decides.*remove it/u);
  expect(await readSignUpChoice(storage.db)).toBe(true);
});
