export interface MapPoint {
  readonly latitude: number;
  readonly longitude: number;
}

const DEGREES = 180 / Math.PI;

/** The parameters of a map's projection, from the dataset of its element. */
type MapData = Readonly<Record<string, string | undefined>>;

/** The inverse of the country map's transverse Mercator projection of the sphere. */
function fromCountry(x: number, y: number, { west, north, radius, longitude }: MapData): MapPoint {
  const east = (x + Number(west)) / Number(radius);
  const northing = (Number(north) - y) / Number(radius);
  return {
    latitude: DEGREES * Math.asin(Math.sin(northing) / Math.cosh(east)),
    longitude: Number(longitude) + DEGREES * Math.atan2(Math.sinh(east), Math.cos(northing)),
  };
}

/** The inverse of a local map's azimuthal equidistant projection around its middle. */
function fromLocal(x: number, y: number, { latitude, longitude, radius }: MapData, side: number): MapPoint {
  const east = (x - side / 2) / Number(radius);
  const north = (side / 2 - y) / Number(radius);
  const angle = Math.hypot(east, north);
  if (angle === 0) return { latitude: Number(latitude), longitude: Number(longitude) };
  const middle = Number(latitude) / DEGREES;
  const sine = Math.cos(angle) * Math.sin(middle) + (north * Math.sin(angle) * Math.cos(middle)) / angle;
  const rotation = Math.atan2(
    east * Math.sin(angle),
    angle * Math.cos(middle) * Math.cos(angle) - north * Math.sin(middle) * Math.sin(angle),
  );
  return { latitude: DEGREES * Math.asin(sine), longitude: Number(longitude) + DEGREES * rotation };
}

/** The point, in degrees, at a position on a map. The position and the map's `side` are in units of the drawing. */
export const pointAt = (x: number, y: number, data: MapData, side: number): MapPoint =>
  data['map'] === 'country' ? fromCountry(x, y, data) : fromLocal(x, y, data, side);
