import { geoAzimuthalEquidistant, geoPath, geoTransverseMercator } from 'd3-geo';
import { ringOf, type Outline } from './coastline.js';

/** A position in a drawing. The origin is the upper left. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

/**
 * The edges of the country map, in kilometres east of the central meridian and north of the equator: from beyond the
 * Hebrides to Lowestoft, from Scilly to Shetland.
 */
const FRAME = { westKm: -425, eastKm: 285, northKm: 6_778, southKm: 5_520 };

export const COUNTRY_MAP_SIZE = {
  width: FRAME.eastKm - FRAME.westKm,
  height: FRAME.northKm - FRAME.southKm,
};

const EARTH_RADIUS_KM = 6_371;
/** The central meridian, the same as on Britain's own maps. */
const CENTRAL_LONGITUDE = -2;

const countryProjection = geoTransverseMercator()
  .rotate([-CENTRAL_LONGITUDE, 0])
  .scale(EARTH_RADIUS_KM)
  .translate([-FRAME.westKm, FRAME.northKm])
  // Keeps d3 from adding points between corners, because the shores have a corner at every turn.
  .precision(0);

/** Attributes from which the page's script calculates the coordinates of a position on the country map. */
export const COUNTRY_MAP_DATA = {
  'data-map': 'country',
  'data-longitude': CENTRAL_LONGITUDE,
  'data-radius': EARTH_RADIUS_KM,
  'data-west': FRAME.westKm,
  'data-north': FRAME.northKm,
};

const toPosition = (projected: readonly [number, number] | null): Position => {
  const [x, y] = projected ?? [Number.NaN, Number.NaN];
  return { x, y };
};

/** The position of a point, in degrees, on the map of the United Kingdom; may be outside the drawing. */
export const toCountryMap = (latitude: number, longitude: number): Position =>
  toPosition(countryProjection([longitude, latitude]));

export const isOnCountryMap = ({ x, y }: Position): boolean =>
  x >= 0 && y >= 0 && x <= COUNTRY_MAP_SIZE.width && y <= COUNTRY_MAP_SIZE.height;

export const drawOutlines = (outlines: readonly Outline[]): string =>
  geoPath(countryProjection).digits(1)({
    type: 'MultiLineString',
    coordinates: outlines.map((outline) => ringOf(outline)),
  }) ?? '';

export const LOCAL_MAP_SIDE = 600;
/** Half the side of a local map, as a multiple of the distance from the middle that the map must include. */
const MARGIN = 1.18;
/** Half the side of the smallest area that a map shows, for points that are very close together. */
const MIN_HALF_SIDE_METRES = 60;
/** The radius of curvature of the earth at the latitudes of the United Kingdom. Lengths are correct to 0.2 %. */
const RADIUS_OF_CURVATURE_METRES = 6_383_000;

interface LocalProjection {
  readonly halfSideMetres: number;
  readonly unitsPerMetre: number;
  readonly project: (latitude: number, longitude: number) => Position;
  /** Attributes from which the page's script calculates the coordinates of a position on the map. */
  readonly data: Readonly<Record<string, string | number>>;
}

/** The projection of a square around a point that includes everything up to `reachMetres` from it. */
export function localProjection(latitude: number, longitude: number, reachMetres: number): LocalProjection {
  const halfSideMetres = Math.max(MIN_HALF_SIDE_METRES, reachMetres * MARGIN);
  const unitsPerMetre = LOCAL_MAP_SIDE / 2 / halfSideMetres;
  const projection = geoAzimuthalEquidistant()
    .rotate([-longitude, -latitude])
    .scale(RADIUS_OF_CURVATURE_METRES * unitsPerMetre)
    .translate([LOCAL_MAP_SIDE / 2, LOCAL_MAP_SIDE / 2]);
  return {
    halfSideMetres,
    unitsPerMetre,
    project: (toLatitude, toLongitude) => toPosition(projection([toLongitude, toLatitude])),
    data: {
      'data-map': 'local',
      'data-latitude': latitude,
      'data-longitude': longitude,
      'data-radius': RADIUS_OF_CURVATURE_METRES * unitsPerMetre,
    },
  };
}
