import { errorJson, listAreaPostcodesResponse } from '@signpost/contract';
import { smallDirectory } from '../../../test/fixtures/postcodes/small-directory.js';
import { UNLIMITED } from '../../../test/fixtures/unlimited-admission.js';
import { PostcodeDirectory } from '../postcodes/directory.js';
import { byNameColumn, type NameColumn } from '../postcodes/table/directory-data.js';
import type { PackedDirectory } from '../postcodes/table/packed-directory.js';
import { areaOperations } from './area-operations.js';

const CODES: Readonly<Record<string, string>> = {
  Wales: 'W92000004',
  'Abbey of Barking': 'E05000026',
  'Abbey of Reading': 'E05013864',
  'Abbey of old': 'E05000001',
};

/** Returns a directory with several wards named "Abbey". It has codes of areas if `hasCodes`. */
function directoryWith(hasCodes: boolean): PostcodeDirectory {
  const table = smallDirectory([
    { postcode: 'CF10 1AA', names: { country: 'Wales', ward: 'Abbey of Neath' } },
    { postcode: 'CF10 1AB', names: { country: 'Wales', ward: 'St Mary’s' }, isActive: false },
    { postcode: 'IG11 1AA', names: { localAuthority: 'Barking and Dagenham', ward: 'Abbey of Barking' } },
    { postcode: 'IG11 1AB', names: { localAuthority: 'Barking and Dagenham', ward: 'Abbey of Barking' } },
    { postcode: 'RG1 3EH', names: { ward: 'Abbey of Reading' } },
    { postcode: 'RG1 3EJ', names: { ward: 'Abbey of old' }, isActive: false },
  ]);
  const { values } = table;
  const asNamed = (name: string | null) => (name?.startsWith('Abbey') === true ? 'Abbey' : name);
  const codesOf = (column: NameColumn) => values[column].map((name) => CODES[name ?? ''] ?? null);
  const named: PackedDirectory = {
    ...table,
    values: byNameColumn((column) => values[column].map(asNamed)),
    areaCodes: hasCodes ? byNameColumn(codesOf) : undefined,
  };
  return new PostcodeDirectory(named);
}

const operationOn = (directory: PostcodeDirectory) =>
  areaOperations({
    current: () => directory,
    isFallback: () => false,
    refresh: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }).listAreaPostcodes;
const withCodes = operationOn(directoryWith(true));
const withoutCodes = operationOn(directoryWith(false));

const neverAborted = new AbortController().signal;
const run = async (bound: ReturnType<typeof operationOn>, body: object) => {
  const answer = await bound.run(body, { admission: UNLIMITED, signal: neverAborted });
  return 'value' in answer ? answer.value : undefined;
};
const listOf = async (body: object, bound = withCodes) =>
  listAreaPostcodesResponse.strict().parse(await run(bound, body));

describe('listAreaPostcodes', () => {
  test.each(['E05000026', ' e05000026 '])('an area is found by its code %j', async (code) => {
    expect(await listOf({ code })).toEqual({
      area: { kind: 'ward', code: 'E05000026', name: 'Abbey' },
      total: 2,
      postcodes: ['IG11 1AA', 'IG11 1AB'],
    });
  });

  test.each(['Wales', ' wALES'])('an area is found by its kind and the name %j', async (name) => {
    expect(await listOf({ kind: 'country', name })).toEqual({
      area: { kind: 'country', code: 'W92000004', name: 'Wales' },
      total: 1,
      postcodes: ['CF10 1AA'],
    });
  });

  test('an area is found however its apostrophe is typed; its list is empty if none of its postcodes is active', async () => {
    for (const name of ["St Mary's", 'st  mary’s'])
      expect(await listOf({ kind: 'ward', name })).toMatchObject({ total: 0, postcodes: [] });
  });

  test('areas have no code in a directory that was imported without codes', async () => {
    expect((await listOf({ kind: 'country', name: 'Wales' }, withoutCodes)).area.code).toBeNull();
  });
});

describe('requests that cannot be answered', () => {
  test.each([
    [{}, /^"code" is missing: it must be the code of an area, unless "kind" and "name" are given/u],
    [
      { code: 'W92000004', kind: 'country' },
      /^"kind" must be left out if "code" is given, but is "country"/u,
    ],
    [{ code: 'W92000004', name: 'Wales' }, /^"name" must be left out if "code" is given/u],
    [{ kind: 'ward' }, /^"name" is missing: it must be the name of an area if "kind" is given/u],
    [{ name: 'Wales' }, /^"kind" is missing: it must say what "name" is: one of country, region, /u],
    [
      { kind: 'wards', name: 'Abbey' },
      /^"kind" must be one of .*"icb" \(did you mean "ward"\?\), but is "wards"/u,
    ],
    [{ kind: 'planet', name: 'Earth' }, /^"kind" must be one of .*"icb", but is "planet"/u],
    [{ kind: 'country', name: 'Wales', limit: 1_001 }, /^"limit" must be a whole number from 1 to 1000/u],
    [{ kind: 'country', name: 'Wales', offset: -1 }, /^"offset" must be a whole number from 0 to /u],
    [{ code: 'x'.repeat(21) }, /^"code" must be a string of at most 20 characters/u],
    [
      { kind: 'ward', name: 'Abbey' },
      /^4 areas of the kind "ward" are named "Abbey"\. .*"code": E05000026 \(Barking and Dagenham, IG11\); E05013864 \(RG1\); E05000001 \(no active postcodes\)\.$/u,
    ],
    [
      { kind: 'ward', name: 'Priory' },
      /^There is no ward named "Priory" in the directory\. The directory is the ONSPD of 2025-08\.$/u,
    ],
    [{ kind: 'region', name: 'Wales' }, /^There is no region named "Wales"/u],
    [
      { code: 'E05000027' },
      /^There is no area with the code "E05000027" in the directory\. The directory is the ONSPD of 2025-08\.$/u,
    ],
    [{ code: '' }, /^There is no area with the code ""/u],
  ])('rejects the request %j with a message that says why', async (body, words) => {
    await expect(run(withCodes, body)).rejects.toThrow(words);
  });

  test.each([
    [{ code: 'E05000026' }, /imports it again with "signpost postcodes import latest"/u],
    [
      { kind: 'ward', name: 'Abbey' },
      /^4 areas .*, and the directory in use has no codes of areas\. .* import/u,
    ],
  ])('rejects the request %j if the directory has no codes of areas', async (body, words) => {
    await expect(run(withoutCodes, body)).rejects.toThrow(words);
  });
});

test('a message about a name that many areas have keeps to the bound of error messages, without cutting words', async () => {
  const rows = Array.from({ length: 200 }, (_, index) => ({
    postcode: `M${index % 100} ${Math.trunc(index / 100)}AA`,
    names: { localAuthority: 'Bournemouth, Christchurch and Poole', ward: `Central ${index}` },
  }));
  const table = smallDirectory(rows);
  const { values } = table;
  const directory = new PostcodeDirectory({
    ...table,
    values: { ...values, ward: values.ward.map((name) => (name === null ? null : 'Central')) },
    areaCodes: byNameColumn((column) => values[column].map((_, index) => `E0500${index + 1_000}`)),
  });
  const error: unknown = await run(operationOn(directory), { kind: 'ward', name: 'Central' }).catch(
    (thrown: unknown) => thrown,
  );
  const words = error instanceof Error ? error.message : '';
  expect(words).toMatch(/^200 areas .* E05001001 \(Bournemouth.*, M\d+\)\.$/u);
  expect(JSON.parse(errorJson(words))).toEqual({ error: words });
});
