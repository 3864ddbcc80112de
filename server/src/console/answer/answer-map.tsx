import { findNearestPostcodesRequest } from '@signpost/contract';
import type { PostcodeDirectory } from '../../postcodes/directory.js';
import type { Point } from '../../postcodes/nearest/distance.js';
import { CountryDots, CountryMap } from '../map/country-map.js';
import { LocalMap } from '../map/local-map.js';
import { typedText } from '../request/json-schema.js';
import { isObject, type JsonObject } from './answer-values.js';

const isPoint = (value: unknown): value is Point =>
  isObject(value) && typeof value['latitude'] === 'number' && typeof value['longitude'] === 'number';

/** A place's own coordinates or, if it has none or is a postcode, those in the directory; undefined if unknown. */
function pointOf(directory: PostcodeDirectory, place: unknown): Point | undefined {
  if (isPoint(place)) return { latitude: place.latitude, longitude: place.longitude };
  const postcode = isObject(place) ? place['postcode'] : place;
  const row = typeof postcode === 'string' ? directory.rowOf(postcode) : undefined;
  return typeof row === 'number' ? directory.pointOf(row) : undefined;
}

/** The items that an answer lists as `results` or `postcodes`, or its single `result`; empty if it has none of them. */
export function rowsOf({ results, postcodes, result }: JsonObject): readonly unknown[] {
  if (Array.isArray(results)) return results;
  if (Array.isArray(postcodes)) return postcodes;
  return result === undefined ? [] : [result];
}

/** The list `to` or `points` of a request: the answer has one row for each entry. Undefined if there is none. */
export function requestedPlaces({ to, points }: JsonObject): readonly unknown[] | undefined {
  const places = to ?? points;
  return Array.isArray(places) ? places : undefined;
}

const nameOf = (row: unknown) => typedText(isObject(row) ? (row['postcode'] ?? row['outcode'] ?? 'It') : row);

const WHEREABOUTS = ['localAuthority', 'region', 'country', 'localAuthorities'];

function whereabouts(row: unknown): string {
  const names = isObject(row) ? WHEREABOUTS.flatMap((name) => row[name] ?? []) : [];
  return names.length === 0 ? 'its area is not known' : names.map(String).join(', ');
}

export interface AnswerMapProps {
  readonly body: JsonObject;
  readonly answer: JsonObject;
  readonly directory: PostcodeDirectory;
}

/**
 * A map around the point or postcode in the request, with the nearest postcodes; nothing if its coordinates are not
 * known.
 */
function AroundMap({ body, answer, directory }: AnswerMapProps) {
  const { success, data } = findNearestPostcodesRequest.safeParse(body);
  const middle = success ? pointOf(directory, body) : undefined;
  if (!success || middle === undefined) return null;
  const points = rowsOf(answer)
    .filter(isPoint)
    .map((row) => ({ ...row, distanceMetres: isObject(row) ? Number(row['distanceMetres']) : 0 }));
  const label = data.postcode ?? `${middle.latitude}, ${middle.longitude}`;
  return <LocalMap label={label} {...middle} radiusMetres={data.radiusMetres} points={points} />;
}

export function AnswerMap(props: AnswerMapProps) {
  const { body, answer, directory } = props;
  const rows = rowsOf(answer);
  const isNearest =
    rows.some((row) => isObject(row) && 'distanceMetres' in row) && requestedPlaces(body) === undefined;
  if (isNearest) return <AroundMap {...props} />;
  const places = requestedPlaces(body) ?? rows;
  const points = places.flatMap((place, row) => {
    const point = pointOf(directory, place);
    return point === undefined ? [] : [{ ...point, row }];
  });
  const [first] = points;
  if (first === undefined) return null;
  if (points.length === 1 && rows.length === 1)
    return <CountryMap {...first} label={nameOf(rows[0])} whereabouts={whereabouts(rows[0])} />;
  const isMarked = new Set(points.map(({ row }) => row));
  const missing = places.flatMap((_, row) => (isMarked.has(row) ? [] : [row + 1]));
  return (
    <>
      {missing.length === 0 ? null : <p class="muted">Missing on the map: No. {missing.join(', ')}.</p>}
      <CountryDots label={points.length === 1 ? 'one place' : `${points.length} places`} points={points} />
    </>
  );
}
