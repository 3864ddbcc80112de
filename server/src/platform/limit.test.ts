import { ServiceError } from './errors.js';
import { parseLimit } from './limit.js';

test.each([
  ['0', 0],
  ['60', 60],
  ['007', 7],
  ['1000000000', 1_000_000_000],
  ['unlimited', 'unlimited'],
  ['default', 'default'],
  [' Unlimited ', 'unlimited'],
  [' 20\n', 20],
])('reads the text %j as the limit %p', (text, limit) => {
  expect(parseLimit(text)).toBe(limit);
});

test.each(['', ' ', '-1', '1.5', '1e3', '1,000', '0x10', '٣', '1000000001', '99999999999', 'none', 'lots'])(
  'rejects the text %j, and says what a limit may be',
  (text) => {
    expect(() => parseLimit(text)).toThrow(
      new ServiceError(
        'invalidRequest',
        'It must be a whole number from 0 to 1000000000, "unlimited", or "default".',
      ),
    );
  },
);
