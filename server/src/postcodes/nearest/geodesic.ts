const DEGREE = Math.PI / 180;
const EQUATORIAL_RADIUS_METRES = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);
/**
 * A value between the smallest and the largest radius of the earth's curvature. The choice changes less than a tenth
 * of a millimetre at 20 km.
 */
const MEAN_RADIUS_METRES = 6_371_009;

/**
 * The shortest length that one degree has anywhere on WGS84: of latitude, and of longitude before multiplying by the
 * cosine of the latitude.
 */
export const MIN_METRES_PER_DEGREE = { latitude: 110_574, longitude: 111_319 };

export const cosineOfDegrees = (degrees: number) => Math.cos(degrees * DEGREE);

/** A point on the ellipsoid as x, y, z in metres from the centre of the earth. */
interface Position {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** The position in space of a point on the ellipsoid. Latitude and longitude are in degrees. */
export function positionOf(latitude: number, longitude: number): Position {
  const sine = Math.sin(latitude * DEGREE);
  const normal = EQUATORIAL_RADIUS_METRES / Math.sqrt(1 - ECCENTRICITY_SQUARED * sine * sine);
  const fromAxis = normal * Math.cos(latitude * DEGREE);
  return {
    x: fromAxis * Math.cos(longitude * DEGREE),
    y: fromAxis * Math.sin(longitude * DEGREE),
    z: normal * (1 - ECCENTRICITY_SQUARED) * sine,
  };
}

/**
 * The length of the geodesic between two points on WGS84, in metres: the straight line through the earth plus the
 * effect of the curvature. Accurate to a millimetre up to 50 km, also at the poles and across the antimeridian.
 */
export function geodesicMetres(from: Position, to: Position): number {
  const straight = Math.sqrt((to.x - from.x) ** 2 + (to.y - from.y) ** 2 + (to.z - from.z) ** 2);
  return straight * (1 + (straight * straight) / (24 * MEAN_RADIUS_METRES * MEAN_RADIUS_METRES));
}

/**
 * How many metres a degree of latitude and a degree of longitude have at a latitude, and by how much the metres of a
 * degree of longitude change per degree to the north.
 */
export function metresPerDegree(latitude: number) {
  const sine = Math.sin(latitude * DEGREE);
  const cosine = Math.cos(latitude * DEGREE);
  const root = Math.sqrt(1 - ECCENTRICITY_SQUARED * sine * sine);
  const normal = EQUATORIAL_RADIUS_METRES / root;
  const meridional = (normal * (1 - ECCENTRICITY_SQUARED)) / (root * root);
  return {
    latitude: meridional * DEGREE,
    longitude: normal * cosine * DEGREE,
    longitudeChange: -meridional * sine * DEGREE * DEGREE,
  };
}
