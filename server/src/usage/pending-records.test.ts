import { ended } from '../../../test/fixtures/usage/recorded-requests.js';
import { PendingRecords } from './pending-records.js';

const pending = () => new PendingRecords(() => 0);

test('while 50,000 counts are pending, those of a failed write are taken back only if they add to a pending one', () => {
  const [failed, full] = [pending(), pending()];
  for (const keyId of [-1, 7]) failed.add(ended({ keyId }));
  for (let keyId = 0; keyId < 50_000; keyId += 1) full.add(ended({ keyId }));
  full.addCounts(failed.counts.values());
  const requestsOf = (keyId: number) =>
    [...full.counts.values()].filter((count) => count.keyId === keyId).map(({ requests }) => requests);
  expect([requestsOf(-1), requestsOf(7)]).toEqual([[], [2]]);
});
