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

test.each(['6', '0', 'unlimited', 'many'])('with a maximum of 5, a key cannot get the limit "%s"', (text) => {
  const most = { perMinute: 5, perDay: 5 };
  const words = 'Give a whole number from 1 to 5';
  expect(() => limitsOf(most, text, '')).toThrow(words);
  expect(() => limitsOf(most, '', text)).toThrow(words);
});

test("if there is no maximum, a key set to unlimited follows the server's limits, and a number is its own limit", () => {
  expect(limitsOf({ perMinute: null, perDay: null }, 'unlimited', '7')).toEqual([undefined, 7]);
});
