/** A place on a map: kilometres east of the central meridian and north of the equator. */
export interface MapPlace {
  readonly eastKm: number;
  readonly northKm: number;
}

const DEGREE = Math.PI / 180;
const EARTH_RADIUS_KM = 6_371;
/** The meridian that Britain's own maps are drawn around. */
const CENTRAL_LONGITUDE = -2;

/** Transverse Mercator on a sphere: true along 2° W, and by a few parts in ten thousand all over the United Kingdom. */
export function transverseMercator(latitude: number, longitude: number): MapPlace {
  const north = latitude * DEGREE;
  const east = (longitude - CENTRAL_LONGITUDE) * DEGREE;
  return {
    eastKm: EARTH_RADIUS_KM * Math.atanh(Math.cos(north) * Math.sin(east)),
    northKm: EARTH_RADIUS_KM * Math.atan2(Math.tan(north), Math.cos(east)),
  };
}
