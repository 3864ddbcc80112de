import type { Limits } from '../../usage/rate-limit.js';
import { ownLimitsForm } from './own-limit-fields.js';

const TICKS = { captures: 'yes', postcodes: 'yes', usage: 'yes', isChosen: 'yes' };

function limitsOf(most: Limits, perMinute: string, perDay: string) {
  const read = ownLimitsForm(most).parse({ ...TICKS, perMinute, perDay });
  return [read.perMinute, read.perDay];
}

test("a key gets an entered limit below the maximum as its own; if it is the maximum or left empty, the key follows the server's limits", () => {
  const most = { perMinute: 5, perDay: 20 };
  expect(limitsOf(most, '4', '19')).toEqual([4, 19]);
  expect(limitsOf(most, '5', ' 20 ')).toEqual([undefined, undefined]);
  expect(limitsOf(most, '', '')).toEqual([undefined, undefined]);
});

test("if there is no maximum, a key set to unlimited follows the server's limits, and a number is its own limit", () => {
  expect(limitsOf({ perMinute: null, perDay: null }, 'unlimited', '7')).toEqual([undefined, 7]);
});
