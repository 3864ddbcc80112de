import fc from 'fast-check';
import { NO_COORDINATE, UNITS_PER_DEGREE } from '../table/directory-data.js';
import { FragmentPool, JsonWriter } from './json-writer.js';

const int32 = fc.integer({ min: NO_COORDINATE + 1, max: 2 ** 31 - 1 });

const bytes = new JsonWriter();
const textOf = (json: JsonWriter) => json.copy().toString();

/** Returns the text that `write` writes after a ">", which stands for the beginning of a response. */
function written(write: () => void): string {
  bytes.clear();
  bytes.reserve(50);
  bytes.character('>'.charCodeAt(0));
  write();
  const text = textOf(bytes);
  expect(text.startsWith('>')).toBe(true);
  return text.slice(1);
}

const degreesText = (units: number) =>
  written(() => {
    bytes.degrees(units);
  });
const metresText = (metres: number) =>
  written(() => {
    bytes.metres(metres);
  });

test('degrees are written in the same way as JSON.stringify does', () => {
  const units = fc.oneof(
    fc.integer({ min: -180 * UNITS_PER_DEGREE, max: 180 * UNITS_PER_DEGREE }),
    fc.integer({ min: -180_000, max: 180_000 }).map((thousands) => thousands * 1_000),
    fc.integer({ min: -180, max: 180 }).map((degrees) => degrees * UNITS_PER_DEGREE),
    int32,
  );
  fc.assert(
    fc.property(units, (value) => {
      expect(degreesText(value)).toBe(JSON.stringify(value / UNITS_PER_DEGREE));
    }),
    { numRuns: 2_000 },
  );
});

test('metres are written in the same way as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: -2_000, max: 3_000_000 }), int32), (value) => {
      expect(metresText(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 2_000 },
  );
});

test('tenths are written in the same way as JSON.stringify does', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 0, max: 300_000 }), fc.integer({ min: 0, max: 2 ** 31 - 1 })),
      (value) => {
        const text = written(() => {
          bytes.tenths(value);
        });
        expect(text).toBe(JSON.stringify(value / 10));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a missing coordinate is written as null', () => {
  expect(degreesText(NO_COORDINATE)).toBe('null');
  expect(metresText(NO_COORDINATE)).toBe('null');
});

test('the buffer grows with the text, and nothing of it is lost', () => {
  const growing = new JsonWriter();
  const numbers = Array.from({ length: 5_000 }, (_, number) => number);
  for (const number of numbers) {
    growing.reserve(10);
    growing.integer(number);
  }
  expect(textOf(growing)).toBe(numbers.join(''));
});

test.each([1, 20_000])(
  'a copy of the written bytes stays unchanged when the writer is used again: %d digits',
  (count) => {
    const json = new JsonWriter();
    const [first, second] = ['1', '2'].map((digit) => {
      json.clear();
      json.reserve(count);
      json.ascii(digit.repeat(count));
      return json.copy();
    });
    expect([first?.toString(), second?.toString()]).toEqual(['1'.repeat(count), '2'.repeat(count)]);
  },
);

test('texts in a pool stay unchanged while it grows', () => {
  const pool = new FragmentPool();
  const texts = Array.from({ length: 20_000 }, (_, number) => `,"ward":"Llŷn ${number}"`);
  const fragments = texts.map((text) => pool.add(text));
  for (const at of [0, 1, 4_999, 19_999]) {
    const fragment = fragments[at] ?? { start: 0, end: 0 };
    expect(
      written(() => {
        bytes.appendFragment(pool, fragment);
      }),
    ).toBe(texts[at]);
  }
});
