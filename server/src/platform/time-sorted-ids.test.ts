import { createTimeSortedIds } from './time-sorted-ids.js';

test('identifiers sort by time, and within a millisecond by the order in which they were made', () => {
  const idAt = createTimeSortedIds(() => 'x');
  const ids = [5, 5, 6, 36 ** 8, 36 ** 8 + 1].map(idAt);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids.map((id) => id.length))).toEqual(new Set([14]));
});
