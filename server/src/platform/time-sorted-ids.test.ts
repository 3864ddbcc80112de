import { createTimeSortedIds } from './time-sorted-ids.js';

test('makes identifiers that sort by time, and by their order within a millisecond', () => {
  const idAt = createTimeSortedIds(() => 'x');
  const ids = [5, 5, 6, 36 ** 8, 36 ** 8 + 1].map(idAt);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids.map((id) => id.length))).toEqual(new Set([14]));
});
