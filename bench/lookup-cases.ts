import { INCLUDE_PARTS, operations } from '@signpost/contract';
import type { KnownPostcode } from './postcodes-all-over.js';

/** A request to postcodes.io. */
export interface PeerRequest {
  readonly path: string;
  readonly body?: object;
}

/** One kind of lookup, sent for many places in turn. */
export interface Case {
  readonly name: string;
  readonly path: string;
  readonly bodies: readonly object[];
  /** The same lookups as requests to postcodes.io, if it supports them. */
  readonly postcodesIo?: readonly PeerRequest[];
  /** The same lookups without the option that makes them slower. */
  readonly plain?: readonly object[];
}

const LIST_LENGTH = 100;
const TEXT_CHARACTERS = 10_000;
const AROUND = { limit: 10, radiusMetres: 2000 };

const listsOf = <Value>(values: readonly Value[]): readonly (readonly Value[])[] =>
  Array.from({ length: Math.max(1, Math.floor(values.length / LIST_LENGTH)) }, (_, index) =>
    values.slice(index * LIST_LENGTH, (index + 1) * LIST_LENGTH),
  );

/** A text of 10,000 characters with the postcodes, each in a sentence of its own. */
const textWith = (postcodes: readonly string[]) =>
  postcodes
    .map(
      (postcode) => `The next of those who wrote to us lives at number 7, and the postcode is ${postcode}. `,
    )
    .join('')
    .padEnd(TEXT_CHARACTERS, 'Nothing else was said. ')
    .slice(0, TEXT_CHARACTERS);

const withoutSpace = (postcode: string) => postcode.replace(' ', '');

/** Cases whose requests are each about one postcode, the beginning of one, or one point. */
function singleCases(known: readonly KnownPostcode[]): readonly Case[] {
  const lookups = known.map(({ postcode }) => ({ postcode }));
  const partials = known.map(({ postcode }) => postcode.slice(0, -2));
  const points = known.map(({ latitude, longitude }) => ({ latitude, longitude }));
  return [
    {
      name: 'lookup',
      path: operations.lookupPostcode.path,
      bodies: lookups,
      postcodesIo: known.map(({ postcode }) => ({ path: `/postcodes/${withoutSpace(postcode)}` })),
    },
    {
      name: 'lookup, all included',
      path: operations.lookupPostcode.path,
      bodies: lookups.map((lookup) => ({ ...lookup, include: INCLUDE_PARTS })),
      plain: lookups,
    },
    {
      name: 'validate',
      path: operations.validatePostcode.path,
      bodies: lookups,
      postcodesIo: known.map(({ postcode }) => ({ path: `/postcodes/${withoutSpace(postcode)}/validate` })),
    },
    {
      name: 'autocomplete',
      path: operations.autocompletePostcode.path,
      bodies: partials.map((partial) => ({ partial })),
      postcodesIo: partials.map((partial) => ({ path: `/postcodes/${withoutSpace(partial)}/autocomplete` })),
    },
    {
      name: 'nearest, 10 in 2 km',
      path: operations.findNearestPostcodes.path,
      bodies: points.map((point) => ({ ...point, ...AROUND })),
      postcodesIo: points.map(({ latitude, longitude }) => ({
        path: `/postcodes?lat=${latitude}&lon=${longitude}&limit=${AROUND.limit}&radius=${AROUND.radiusMetres}`,
      })),
    },
  ];
}

/** Cases whose requests are each about up to a hundred postcodes or points, or a text. */
function listCases(known: readonly KnownPostcode[]): readonly Case[] {
  const postcodeLists = listsOf(known.map(({ postcode }) => postcode));
  const pointLists = listsOf(known.map(({ latitude, longitude }) => ({ latitude, longitude })));
  return [
    {
      name: 'bulk of 100',
      path: operations.lookupPostcodes.path,
      bodies: postcodeLists.map((postcodes) => ({ postcodes })),
      postcodesIo: postcodeLists.map((postcodes) => ({ path: '/postcodes', body: { postcodes } })),
    },
    {
      name: 'distance to 100',
      path: operations.measureDistance.path,
      bodies: postcodeLists.map((to) => ({ from: to[0], to })),
    },
    {
      name: 'reverse of 100 points',
      path: operations.reverseGeocode.path,
      bodies: pointLists.map((points) => ({ points })),
      postcodesIo: pointLists.map((points) => ({
        path: '/postcodes',
        body: { geolocations: points.map((point) => ({ ...point, limit: 1, radius: AROUND.radiusMetres })) },
      })),
    },
    {
      name: 'find in 10 KB',
      path: operations.findPostcodesInText.path,
      bodies: postcodeLists.map((postcodes) => ({ text: textWith(postcodes) })),
    },
  ];
}

/** All lookups of these places. */
export const casesAbout = (known: readonly KnownPostcode[]): readonly Case[] => [
  ...singleCases(known),
  ...listCases(known),
];
