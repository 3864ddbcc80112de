import { whereIsPoint } from '@signpost/contract';
import type { Point } from '../postcodes/nearest/distance.js';

const formatPoints = (points: readonly Point[]) =>
  points.map(({ latitude, longitude }) => `${latitude}, ${longitude}`).join('; ');

const MAX_SHOWN = 5;

/**
 * A note that names up to `MAX_SHOWN` points which are not in the UK: those that would be if latitude and longitude
 * were swapped, if there are any, otherwise the others. Undefined if all points are in the UK.
 */
export function outsideNote(points: readonly Point[]): string | undefined {
  const of = (where: ReturnType<typeof whereIsPoint>) =>
    points
      .filter(({ latitude, longitude }) => whereIsPoint(latitude, longitude) === where)
      .slice(0, MAX_SHOWN);
  const [swapped, elsewhere] = [of('exchanged'), of('elsewhere')];
  if (swapped.length > 0)
    return `Not in the UK: ${formatPoints(swapped)}. With latitude and longitude swapped it would be: latitude comes first.`;
  return elsewhere.length > 0
    ? `Not in the UK: ${formatPoints(elsewhere)}. The directory has only UK postcodes.`
    : undefined;
}
