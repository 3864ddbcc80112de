import { systemRandomBytes } from '../platform/random.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { createAccount } from './create-account.js';
import { createCappedProject, listProjects } from './project.js';
import { cheapPasswordHasher } from '../../../test/fixtures/cheap-passwords.js';

const maker = {
  randomBytes: systemRandomBytes,
  clock: () => 1_000,
  passwordHasher: cheapPasswordHasher(),
};
let database: TestDatabase;
let storage: Storage;
let elsewhere: Storage;
let adaId: string;
let bobId: string;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  elsewhere = await database.open();
  const create = (email: string) =>
    createAccount(storage.db, maker, { email, password: 'correct horse battery' });
  adaId = (await create('ada@example.org')).account.id;
  bobId = (await create('bob@example.org')).account.id;
});

afterEach(async () => {
  await storage.close();
  await elsewhere.close();
  await database.remove();
});

test('creates twenty of sixty projects that two servers are asked for at once, and lets other accounts create theirs', async () => {
  const answers = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) =>
      createCappedProject((index % 2 === 0 ? storage : elsewhere).db, maker, {
        accountId: adaId,
        name: `Project ${index}`,
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  expect(await listProjects(storage.db, adaId)).toHaveLength(20);
  await expect(
    createCappedProject(storage.db, maker, { accountId: adaId, name: 'One more' }),
  ).rejects.toThrow('You have 20 projects, the most that an account may make. Ask the operator for more.');
  await createCappedProject(storage.db, maker, { accountId: bobId, name: 'Map' });
});

test('a name that is taken is refused in words, and the next one is made', async () => {
  await createCappedProject(storage.db, maker, { accountId: adaId, name: 'Map' });
  await expect(createCappedProject(storage.db, maker, { accountId: adaId, name: 'Map' })).rejects.toThrow(
    'The account already has a project named "Map".',
  );
  await createCappedProject(storage.db, maker, { accountId: adaId, name: 'Atlas' });
});
