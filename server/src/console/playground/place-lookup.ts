import {
  findPostcodesInTextResponse,
  measureDistanceResponse,
  type Place,
  reverseGeocodeRequest,
  reverseGeocodeResponse,
} from '@signpost/contract';
import type { z } from 'zod';
import type { Key } from '../../keys/key.js';
import type { Point } from '../../postcodes/nearest/distance.js';
import type { FormFields } from '../layout/form-data.js';
import type { ConsoleDeps } from '../routing/console-deps.js';
import { attempt, type Attempt, type Caller } from './attempt.js';
import { sentNumber } from './capture-fields.js';
import { pointsOf } from './mapped-places.js';

export const PLACE_FIELDS = ['key', 'what', 'from', 'text', 'placeRadiusMetres'] as const;

/** What can be asked of places, with the words of the form. */
export const PLACE_QUESTIONS = [
  { value: 'distance', label: 'How far it is to these places' },
  { value: 'reverse', label: 'Which postcode is nearest to each of these points' },
  { value: 'find', label: 'Which postcodes this text has' },
];

export const { radiusMetres: PLACE_RADIUS_METRES } = reverseGeocodeRequest.parse({
  points: [{ latitude: 0, longitude: 0 }],
});

/** What the map shows of an answer. */
interface Mapped {
  readonly points: readonly Point[];
}

export interface Distances extends Mapped {
  readonly kind: 'distance';
  readonly from: string;
  readonly places: readonly string[];
  readonly results: z.output<typeof measureDistanceResponse>['results'];
}

export interface PostcodesOfPoints {
  readonly kind: 'reverse';
  readonly places: readonly string[];
  readonly radiusMetres: number;
  readonly results: z.output<typeof reverseGeocodeResponse>['results'];
}

export interface PostcodesInText extends Mapped {
  readonly kind: 'find';
  readonly results: z.output<typeof findPostcodesInTextResponse>['results'];
}

export type PlacesFound = Distances | PostcodesOfPoints | PostcodesInText;

const POINT = /^\s*(?<latitude>[-+]?[\d.]+)[\s,;]+(?<longitude>[-+]?[\d.]+)\s*$/u;

/** A line as a program would send it: a point such as "51.5, -0.14", else the text of a postcode. */
export function placeOf(line: string): Place {
  const { latitude, longitude } = POINT.exec(line)?.groups ?? {};
  return latitude === undefined || longitude === undefined
    ? line.trim()
    : { latitude: Number(latitude), longitude: Number(longitude) };
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

type LookupDeps = Pick<ConsoleDeps, 'calls' | 'operations' | 'directories'>;

/** Asks with a key what the form asks; that is one request. */
export function findPlaces(
  { calls, operations, directories }: LookupDeps,
  chooseKey: () => Key,
  fields: FormFields,
  caller: Caller,
): Promise<Attempt<PlacesFound>> {
  const { what, from = '', text = '', placeRadiusMetres } = fields;
  return attempt(caller, async (options): Promise<PlacesFound> => {
    const key = chooseKey();
    if (what === 'find') {
      const answer = await calls.perform(key, operations.findPostcodesInText, { text }, options);
      const { results } = findPostcodesInTextResponse.parse(answer);
      const postcodes = results.map(({ postcode }) => postcode);
      return { kind: 'find', results, points: pointsOf(directories.current(), postcodes) };
    }
    const places = linesOf(text);
    if (what === 'reverse') {
      const request = { points: places.map(placeOf), radiusMetres: sentNumber(placeRadiusMetres) };
      const answer = await calls.perform(key, operations.reverseGeocode, request, options);
      const { radiusMetres } = reverseGeocodeRequest.parse(request);
      return { kind: 'reverse', places, radiusMetres, ...reverseGeocodeResponse.parse(answer) };
    }
    const request = { from: placeOf(from), to: places.map(placeOf) };
    const points = pointsOf(directories.current(), [request.from, ...request.to]);
    const answer = await calls.perform(key, operations.measureDistance, request, options);
    return { kind: 'distance', from, places, points, ...measureDistanceResponse.parse(answer) };
  });
}
