import geographicLib from 'geographiclib-geodesic';

/** A point in degrees, WGS84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

export interface Distance {
  /** Rounded to one decimal. */
  readonly metres: number;
  /** The initial bearing, from 0 to less than 360, to one decimal; null if the points are the same. */
  readonly bearingDegrees: number | null;
}

const WHOLE_TURN_TENTHS = 3_600;
const tenths = (value: number) => Math.round(value * 10);

/** The distance and the initial bearing from one point to another on WGS84. */
export function distanceBetween(from: Point, to: Point): Distance {
  const { s12: metres = NaN, azi1: azimuth = NaN } = geographicLib.Geodesic.WGS84.Inverse(
    from.latitude,
    from.longitude,
    to.latitude,
    to.longitude,
  );
  return {
    metres: tenths(metres) / 10,
    bearingDegrees: metres === 0 ? null : ((tenths(azimuth) + WHOLE_TURN_TENTHS) % WHOLE_TURN_TENTHS) / 10,
  };
}
