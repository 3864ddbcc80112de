import { testContext } from '../../../test/fixtures/domain-context.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { createAccount } from './create-account.js';
import { createProject, listProjects } from './project.js';

const contextOn = ({ db }: Storage) => testContext(db, () => 1_000);
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
    createAccount(contextOn(storage), { email, password: 'correct horse battery' });
  adaId = (await create('ada@example.org')).account.id;
  bobId = (await create('bob@example.org')).account.id;
});

afterEach(async () => {
  await storage.close();
  await elsewhere.close();
  await database.remove();
});

test('of sixty projects requested at once on two servers, creates only the twenty that an account may have, and lets other accounts create theirs', async () => {
  const answers = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) =>
      createProject(contextOn(index % 2 === 0 ? storage : elsewhere), {
        accountId: adaId,
        name: `Project ${index}`,
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  expect(await listProjects(storage, adaId)).toHaveLength(20);
  await expect(createProject(contextOn(storage), { accountId: adaId, name: 'One more' })).rejects.toThrow(
    'You have 20 projects, the most that an account may make. Ask the operator for more.',
  );
  await createProject(contextOn(storage), { accountId: bobId, name: 'Map' });
});

test('rejects a project name that the account already has, and then creates one with another name', async () => {
  await createProject(contextOn(storage), { accountId: adaId, name: 'Map' });
  await expect(createProject(contextOn(storage), { accountId: adaId, name: 'Map' })).rejects.toThrow(
    'The account already has a project named "Map".',
  );
  await createProject(contextOn(storage), { accountId: adaId, name: 'Atlas' });
});
