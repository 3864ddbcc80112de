import fc from 'fast-check';
import { smallDirectory } from '../../../../test/fixtures/postcodes/small-directory.js';
import { PostcodeDirectory } from '../directory.js';
import { byNameColumn, type ByNameColumn, NAME_COLUMNS, type NameColumn } from '../table/directory-data.js';
import { areasOfName } from './find-areas.js';

/** More rows than fit into one block, the unit in which rows are counted, so that tests can cover several blocks. */
const MAX_ROWS = 9_000;
const letter = (index: number) => String.fromCharCode(65 + (index % 26));

interface Shape {
  readonly rows: number;
  readonly wards: number;
  /** How many consecutive rows share a ward. */
  readonly run: number;
  readonly terminatedEach: number;
}

/** The number of wards in an area of each kind. No two kinds have the same areas. */
const WARDS_EACH: ByNameColumn<number> = {
  ward: 1,
  lsoa: 2,
  msoa: 3,
  localAuthority: 4,
  constituency: 5,
  policeForce: 6,
  icb: 7,
  region: 8,
  country: 9,
};

/** Makes rows in postcode order, each in an area of every kind, except that every seventh row has no ward. */
const rowsOf = ({ rows, wards, run, terminatedEach }: Shape) =>
  Array.from({ length: rows }, (_, index) => {
    const ward = Math.trunc(index / run) % wards;
    return {
      postcode: `M${Math.trunc(index / 6_760)} ${Math.trunc(index / 676) % 10}${letter(index / 26)}${letter(index)}`,
      isActive: index % terminatedEach !== 0,
      names: byNameColumn((kind) =>
        kind === 'ward' && index % 7 === 0 ? undefined : `${kind} ${Math.trunc(ward / WARDS_EACH[kind])}`,
      ),
    };
  });

async function listOf(directory: PostcodeDirectory, kind: NameColumn, name: string) {
  const [area] = areasOfName(directory.table, kind, name);
  return area === undefined ? undefined : directory.postcodesOfArea(area, 0, Infinity);
}

const shapes = fc.record({
  rows: fc.integer({ min: 1, max: MAX_ROWS }),
  wards: fc.integer({ min: 1, max: 30 }),
  run: fc.constantFrom(1, 10, 500, 4_000),
  terminatedEach: fc.integer({ min: 1, max: 5 }),
});

test('the list of each area has each of its active postcodes once, in order, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const rows = rowsOf(shape);
      const directory = new PostcodeDirectory(smallDirectory(rows));
      for (const kind of NAME_COLUMNS) {
        const wanted = new Map<string, string[]>();
        for (const { names, postcode, isActive } of rows) {
          const name = names[kind];
          if (name === undefined) continue;
          const list = wanted.get(name) ?? [];
          if (isActive) list.push(postcode);
          wanted.set(name, list);
        }
        for (const [name, postcodes] of wanted)
          expect(await listOf(directory, kind, name)).toEqual({ total: postcodes.length, postcodes });
        expect(directory.table.values[kind].filter((name) => name !== null).toSorted()).toEqual(
          [...wanted.keys()].toSorted(),
        );
      }
    }),
    { numRuns: 30 },
  );
});

test("each page of an area's postcodes is the right part of the whole list, and the page after the last is empty", async () => {
  const directory = new PostcodeDirectory(
    smallDirectory(rowsOf({ rows: MAX_ROWS, wards: 4, run: 600, terminatedEach: 3 })),
  );
  const whole = await listOf(directory, 'ward', 'Ward 1');
  const [area] = areasOfName(directory.table, 'ward', 'Ward 1');
  if (area === undefined || whole === undefined) throw new Error('There is no such ward.');
  for (const limit of [1, 7, 100, 999]) {
    const { total } = whole;
    const offsets =
      limit === 1 ? [0, 1, total - 1] : Array.from({ length: total / limit + 1 }, (_, n) => n * limit);
    for (const offset of offsets)
      expect(await directory.postcodesOfArea(area, offset, limit)).toEqual({
        total,
        postcodes: whole.postcodes.slice(offset, offset + limit),
      });
  }
  expect(await directory.postcodesOfArea(area, whole.total, 10)).toEqual({
    total: whole.total,
    postcodes: [],
  });
});

test('two concurrent requests for an area get the same list, even if no area of its kind was requested before', async () => {
  const directory = new PostcodeDirectory(
    smallDirectory(rowsOf({ rows: MAX_ROWS, wards: 2, run: 1, terminatedEach: 9 })),
  );
  const [one, other] = await Promise.all([
    listOf(directory, 'ward', 'Ward 0'),
    listOf(directory, 'ward', 'ward  0'),
  ]);
  expect(one?.total).toBeGreaterThan(0);
  expect(other).toEqual(one);
});
