import { addOwnersAndKeys } from '../../../test/fixtures/usage/recorded-requests.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { setPageLogging } from '../accounts/account-state.js';
import type { PreparedQueries, Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { createRequestHistory } from './read-counts.js';
import { RequestRecorder } from './request-recorder.js';
import type { FinishedRequest } from './recorded-request.js';

let database: TestDatabase;
let storage: Storage;
let queries: PreparedQueries;
let nowMs: number;
let recorder: RequestRecorder;

/** Keys 1 and 2 are Ada's, 3 is Bob's. */
beforeEach(async () => {
  nowMs = 1_000;
  database = await createTestDatabase();
  storage = await database.open();
  await addOwnersAndKeys(storage.db);
  queries = await storage.openPreparedQueries();
  recorder = new RequestRecorder({
    queries,
    dialect: storage.dialect,
    clock: () => nowMs,
    randomBytes: (count) => Buffer.alloc(count, 7),
    onFailure: (error) => {
      throw error;
    },
  });
});

afterEach(async () => {
  await queries.close();
  await storage.close();
  await database.remove();
});

const history = () =>
  createRequestHistory({ db: storage.db, clock: () => nowMs, flush: () => Promise.resolve() });

const ended = (more: Partial<FinishedRequest> = {}): FinishedRequest => ({
  keyId: 1,
  operation: 'capturePdf',
  status: 200,
  elapsedMs: 1.5,
  isCounted: true,
  requestId: 'req-1',
  ...more,
});

const keep = (accountId: string, areKept: boolean) =>
  setPageLogging(
    testContext(storage.db, () => nowMs, { accountId, address: null, via: 'console' }),
    accountId,
    areKept,
  );
const page = 'https://example.org/a';
const pagesOf = async (keyId: number) => (await history().logOfKey(keyId)).map(({ page: one }) => one);

test('logs page addresses only for accounts that want them', async () => {
  recorder.record(ended({ page }));
  await recorder.flush();
  await keep('acc_ada', true);
  recorder.record(ended());
  recorder.record(ended({ page, status: 400 }));
  recorder.record(ended({ page: `${page}/2`, keyId: 2 }));
  recorder.record(ended({ page, keyId: 3 }));
  await recorder.flush();
  expect(await pagesOf(1)).toEqual([page, undefined, undefined]);
  expect(await pagesOf(2)).toEqual([`${page}/2`]);
  expect(await pagesOf(3)).toEqual([undefined]);
  expect((await database.stored()).includes(page)).toBe(true);
});

test("turning page logging off removes the account's page addresses, even those not stored yet", async () => {
  for (const accountId of ['acc_ada', 'acc_bob']) await keep(accountId, true);
  recorder.record(ended({ page }));
  recorder.record(ended({ page, keyId: 3 }));
  await recorder.flush();
  recorder.record(ended({ page }));
  await keep('acc_ada', false);
  await recorder.flush();
  await keep('acc_ada', true);
  expect(await pagesOf(1)).toEqual([undefined, undefined]);
  expect(await pagesOf(3)).toEqual([page]);
});

test('turning page logging off while a page address is being stored leaves no address', async () => {
  await keep('acc_ada', true);
  recorder.record(ended({ page }));
  await Promise.all([recorder.flush(), keep('acc_ada', false), recorder.flush()]);
  expect(await pagesOf(1)).toEqual([undefined]);
});
