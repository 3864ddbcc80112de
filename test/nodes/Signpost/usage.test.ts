import { getUsage } from '../../../nodes/Signpost/usage';
import { success } from '../fixtures/fake-execution';
import { run } from '../fixtures/new-node';

const dailyUsage = [
  { date: '2026-03-01', requests: 7 },
  { date: '2026-03-02', requests: 0 },
];
const answer = () => success({ totalRequests: 7, dailyUsage });

test('the usage of the key is put beside the fields of the item, or into a field', async () => {
  const items = [{ customer: 'Ada' }];
  const beside = await run(getUsage, { parameters: {}, items, answer });
  expect(beside.json).toEqual([{ customer: 'Ada', totalRequests: 7, dailyUsage }]);
  const options = { resultField: 'usage' };
  const inField = await run(getUsage, { parameters: { options }, items, answer });
  expect(inField.json).toEqual([{ customer: 'Ada', usage: { totalRequests: 7, dailyUsage } }]);
  const before = await run(getUsage, { parameters: {}, items, answer, typeVersion: 1.1 });
  expect(before.json).toEqual([{ totalRequests: 7, dailyUsage }]);
});

test('each day of the usage can be an item', async () => {
  const { json } = await run(getUsage, { parameters: { oneItemPerDay: true }, answer });
  expect(json).toEqual(dailyUsage);
});
