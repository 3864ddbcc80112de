import type { Outline } from './coastline.js';

/** A place on a map: kilometres east of the central meridian and north of the equator. */
interface MapPlace {
  readonly eastKm: number;
  readonly northKm: number;
}

const DEGREE = Math.PI / 180;
const EARTH_RADIUS_KM = 6_371;
/** The meridian that Britain's own maps are drawn around. */
const CENTRAL_LONGITUDE = -2;

/** Transverse Mercator on a sphere: true along 2° W, and by a few parts in ten thousand all over the United Kingdom. */
function transverseMercator(latitude: number, longitude: number): MapPlace {
  const north = latitude * DEGREE;
  const east = (longitude - CENTRAL_LONGITUDE) * DEGREE;
  return {
    eastKm: EARTH_RADIUS_KM * Math.atanh(Math.cos(north) * Math.sin(east)),
    northKm: EARTH_RADIUS_KM * Math.atan2(Math.tan(north), Math.cos(east)),
  };
}

/** A place in a drawing, its origin at the upper left. */
export interface DrawnPlace {
  readonly x: number;
  readonly y: number;
}

/** What the map shows: from beyond the Hebrides to Lowestoft, from Scilly to Shetland, in kilometres. */
const FRAME = { westKm: -425, eastKm: 285, northKm: 6_778, southKm: 5_520 };

/** The size of the drawing; one unit is one kilometre. */
export const COUNTRY_MAP_SIZE = {
  width: FRAME.eastKm - FRAME.westKm,
  height: FRAME.northKm - FRAME.southKm,
};

/** Where a point, in degrees, lies on the map of the United Kingdom; it may lie outside of the drawing. */
export function onCountryMap(latitude: number, longitude: number): DrawnPlace {
  const { eastKm, northKm } = transverseMercator(latitude, longitude);
  return { x: eastKm - FRAME.westKm, y: FRAME.northKm - northKm };
}

export const isOnCountryMap = ({ x, y }: DrawnPlace): boolean =>
  x >= 0 && y >= 0 && x <= COUNTRY_MAP_SIZE.width && y <= COUNTRY_MAP_SIZE.height;

/** The corners of an outline on the map. */
export function drawnOutline(outline: Outline): readonly DrawnPlace[] {
  const places: DrawnPlace[] = [];
  for (let index = 0; index + 1 < outline.length; index += 2)
    places.push(onCountryMap(outline[index] ?? 0, outline[index + 1] ?? 0));
  return places;
}
