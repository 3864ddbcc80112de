import { metresPerDegree } from '../../postcodes/nearest/geodesic.js';
import type { DrawnPlace } from './country-projection.js';

/** The side of the drawing in its own units. */
export const LOCAL_MAP_SIDE = 600;
/** Of the square's half side, how much lies beyond the farthest point. */
const MARGIN = 1.18;
/** The least half side, so that points side by side do not make a map of a doorstep. */
const MIN_HALF_SIDE_METRES = 60;

/** A square of ground, north up, around a point in degrees. */
export interface LocalProjection {
  readonly halfSideMetres: number;
  readonly unitsPerMetre: number;
  /** Where a point, in degrees, lies in the drawing. */
  readonly place: (latitude: number, longitude: number) => DrawnPlace;
}

/** The square around a point that shows everything up to `reachMetres` from it. */
export function localProjection(latitude: number, longitude: number, reachMetres: number): LocalProjection {
  const halfSideMetres = Math.max(MIN_HALF_SIDE_METRES, reachMetres * MARGIN);
  const unitsPerMetre = LOCAL_MAP_SIDE / 2 / halfSideMetres;
  const scale = metresPerDegree(latitude);
  return {
    halfSideMetres,
    unitsPerMetre,
    place: (toLatitude, toLongitude) => {
      const up = toLatitude - latitude;
      const metresPerDegreeEast = scale.longitude + up * scale.longitudeChange;
      return {
        x: LOCAL_MAP_SIDE / 2 + (toLongitude - longitude) * metresPerDegreeEast * unitsPerMetre,
        y: LOCAL_MAP_SIDE / 2 - up * scale.latitude * unitsPerMetre,
      };
    },
  };
}
