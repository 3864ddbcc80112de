export interface MapPoint {
  readonly latitude: number;
  readonly longitude: number;
}

const DEGREES = 180 / Math.PI;

/** The parameters of a map's projection, from the dataset of its element. */
type MapData = Readonly<Record<string, string | undefined>>;

/** The inverse of the country map's transverse Mercator projection of the sphere. */
function ofCountry(x: number, y: number, { west, north, radius, longitude }: MapData): MapPoint {
  const east = (x + Number(west)) / Number(radius);
  const way = (Number(north) - y) / Number(radius);
  return {
    latitude: DEGREES * Math.asin(Math.sin(way) / Math.cosh(east)),
    longitude: Number(longitude) + DEGREES * Math.atan2(Math.sinh(east), Math.cos(way)),
  };
}

/** The inverse of a local map's azimuthal equidistant projection around its middle. */
function ofGround(x: number, y: number, { latitude, longitude, radius }: MapData, side: number): MapPoint {
  const east = (x - side / 2) / Number(radius);
  const north = (side / 2 - y) / Number(radius);
  const way = Math.hypot(east, north);
  if (way === 0) return { latitude: Number(latitude), longitude: Number(longitude) };
  const middle = Number(latitude) / DEGREES;
  const sine = Math.cos(way) * Math.sin(middle) + (north * Math.sin(way) * Math.cos(middle)) / way;
  const turn = Math.atan2(
    east * Math.sin(way),
    way * Math.cos(middle) * Math.cos(way) - north * Math.sin(middle) * Math.sin(way),
  );
  return { latitude: DEGREES * Math.asin(sine), longitude: Number(longitude) + DEGREES * turn };
}

/** The point, in degrees, at a position on a map. The position and the map's `side` are in units of the drawing. */
export const pointAt = (x: number, y: number, data: MapData, side: number): MapPoint =>
  data['map'] === 'country' ? ofCountry(x, y, data) : ofGround(x, y, data, side);
