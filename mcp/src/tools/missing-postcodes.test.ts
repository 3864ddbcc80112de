import type { PostcodeRecord } from '@signpost/contract';
import { missingPostcodes } from './postcode-tools.js';

const record = (postcode: string): PostcodeRecord => ({
  postcode,
  outcode: '',
  incode: '',
  latitude: null,
  longitude: null,
  easting: null,
  northing: null,
  country: null,
  region: null,
  localAuthority: null,
  ward: null,
  constituency: null,
  lsoa: null,
  msoa: null,
  policeForce: null,
  icb: null,
  isActive: true,
});

test('what has no record is missing, as it was sent, repeats and all', () => {
  const asked = ['zz1 1zz', 'sw1a1aa', 'no', 'SW1A 1AA', 'zz1 1zz'];
  expect(missingPostcodes(asked, [record('SW1A 1AA'), record('SW1A 1AA')])).toEqual([
    'zz1 1zz',
    'no',
    'zz1 1zz',
  ]);
});

test('dirt that the look-up took away is not missing', () => {
  expect(missingPostcodes(['“W1A-1AA”', 'M1/1AE'], [record('W1A 1AA')])).toEqual(['M1/1AE']);
});

test('a slip that the look-up repaired is not missing', () => {
  expect(
    missingPostcodes(['W1A IAA', 'ECIA 1BB', 'M1 1AE'], [record('W1A 1AA'), record('EC1A 1BB')]),
  ).toEqual(['M1 1AE']);
});

test('what is no postcode at all is not repeated at length', () => {
  expect(missingPostcodes(['x'.repeat(5_000)], [])).toEqual(['x'.repeat(40)]);
});
