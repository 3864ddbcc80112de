import type { Place } from '@signpost/contract';
import type { PostcodeDirectory } from '../../postcodes/directory.js';
import type { Point } from '../../postcodes/nearest/distance.js';
import { CountryDots } from '../map/country-map.js';

function pointOf(directory: PostcodeDirectory, place: Place): Point | undefined {
  if (typeof place !== 'string') return place;
  const row = directory.rowOf(place);
  return typeof row === 'number' ? directory.pointOf(row) : undefined;
}

/** Where these places are, of those that the directory knows: for the map, and no request of a key. */
export const pointsOf = (directory: PostcodeDirectory, places: readonly Place[]): readonly Point[] =>
  places.map((place) => pointOf(directory, place)).filter((point) => point !== undefined);

/** The places on the map of the country; nothing where it is not known where any of them is. */
export function PlacesMap({ points }: { readonly points: readonly Point[] }) {
  if (points.length === 0) return null;
  return <CountryDots what={points.length === 1 ? 'one place' : `${points.length} places`} points={points} />;
}
