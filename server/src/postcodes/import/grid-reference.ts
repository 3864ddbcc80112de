import { NO_COORDINATE, UNITS_PER_DEGREE } from '../table/directory-data.js';

const DEGREE = Math.PI / 180;
const ARC_SECOND = DEGREE / 3600;
const NORTHERN_IRELAND = 'N92000002';

/** A transverse Mercator grid, and the Helmert transformation from its datum to WGS84. */
interface NationalGrid {
  readonly semiMajorMetres: number;
  readonly semiMinorMetres: number;
  readonly scale: number;
  readonly originLatitude: number;
  readonly originLongitude: number;
  readonly originEasting: number;
  readonly originNorthing: number;
  readonly shiftMetres: readonly [number, number, number];
  readonly rotationSeconds: readonly [number, number, number];
  readonly scalePartsPerMillion: number;
}

const BRITISH: NationalGrid = {
  semiMajorMetres: 6_377_563.396,
  semiMinorMetres: 6_356_256.909,
  scale: 0.9996012717,
  originLatitude: 49,
  originLongitude: -2,
  originEasting: 400_000,
  originNorthing: -100_000,
  shiftMetres: [446.448, -125.157, 542.06],
  rotationSeconds: [0.1502, 0.247, 0.8421],
  scalePartsPerMillion: -20.4894,
};
const IRISH: NationalGrid = {
  semiMajorMetres: 6_377_340.189,
  semiMinorMetres: 6_356_034.447,
  scale: 1.000035,
  originLatitude: 53.5,
  originLongitude: -8,
  originEasting: 200_000,
  originNorthing: 250_000,
  shiftMetres: [482.53, -130.596, 564.557],
  rotationSeconds: [-1.042, -0.214, -0.631],
  scalePartsPerMillion: 8.15,
};

/** The length of the meridian from the origin's latitude, in metres. */
function meridian(grid: NationalGrid, latitude: number): number {
  const n = (grid.semiMajorMetres - grid.semiMinorMetres) / (grid.semiMajorMetres + grid.semiMinorMetres);
  const difference = latitude - grid.originLatitude * DEGREE;
  const sum = latitude + grid.originLatitude * DEGREE;
  return (
    grid.semiMinorMetres *
    grid.scale *
    ((1 + n + 1.25 * n ** 2 + 1.25 * n ** 3) * difference -
      (3 * n + 3 * n ** 2 + 2.625 * n ** 3) * Math.sin(difference) * Math.cos(sum) +
      1.875 * (n ** 2 + n ** 3) * Math.sin(2 * difference) * Math.cos(2 * sum) -
      (35 / 24) * n ** 3 * Math.sin(3 * difference) * Math.cos(3 * sum))
  );
}

/** Latitude and longitude in radians on the grid's own datum. */
function unproject(grid: NationalGrid, easting: number, northing: number) {
  const a = grid.semiMajorMetres * grid.scale;
  let foot = grid.originLatitude * DEGREE;
  let left = northing - grid.originNorthing;
  while (Math.abs(left) > 1e-5) {
    foot += left / a;
    left = northing - grid.originNorthing - meridian(grid, foot);
  }
  const e2 = 1 - grid.semiMinorMetres ** 2 / grid.semiMajorMetres ** 2;
  const root = 1 - e2 * Math.sin(foot) ** 2;
  const nu = a / Math.sqrt(root);
  const rho = (a * (1 - e2)) / root ** 1.5;
  const eta2 = nu / rho - 1;
  const t = Math.tan(foot);
  const t2 = t * t;
  const d = easting - grid.originEasting;
  const latitude =
    foot -
    ((t * d ** 2) / (2 * rho * nu)) *
      (1 -
        (d ** 2 / (12 * nu ** 2)) * (5 + 3 * t2 + eta2 - 9 * t2 * eta2) +
        (d ** 4 / (360 * nu ** 4)) * (61 + 90 * t2 + 45 * t2 ** 2));
  const longitude =
    grid.originLongitude * DEGREE +
    (d / (nu * Math.cos(foot))) *
      (1 -
        (d ** 2 / (6 * nu ** 2)) * (nu / rho + 2 * t2) +
        (d ** 4 / (120 * nu ** 4)) * (5 + 28 * t2 + 24 * t2 ** 2));
  return { latitude, longitude };
}

function toWgs84(grid: NationalGrid, latitude: number, longitude: number) {
  const e2 = 1 - grid.semiMinorMetres ** 2 / grid.semiMajorMetres ** 2;
  const nu = grid.semiMajorMetres / Math.sqrt(1 - e2 * Math.sin(latitude) ** 2);
  const x = nu * Math.cos(latitude) * Math.cos(longitude);
  const y = nu * Math.cos(latitude) * Math.sin(longitude);
  const z = nu * (1 - e2) * Math.sin(latitude);
  const [tx, ty, tz] = grid.shiftMetres;
  const [rx, ry, rz] = grid.rotationSeconds;
  const s = 1 + grid.scalePartsPerMillion / 1e6;
  const x2 = tx + s * x - rz * ARC_SECOND * y + ry * ARC_SECOND * z;
  const y2 = ty + rz * ARC_SECOND * x + s * y - rx * ARC_SECOND * z;
  const z2 = tz - ry * ARC_SECOND * x + rx * ARC_SECOND * y + s * z;
  const wgsE2 = 0.00669437999014;
  const p = Math.hypot(x2, y2);
  let phi = Math.atan2(z2, p * (1 - wgsE2));
  for (let step = 0; step < 4; step += 1) {
    const normal = 6_378_137 / Math.sqrt(1 - wgsE2 * Math.sin(phi) ** 2);
    phi = Math.atan2(z2 + wgsE2 * normal * Math.sin(phi), p);
  }
  return { latitude: phi, longitude: Math.atan2(y2, x2) };
}

const units = (radians: number) => Math.round((radians / DEGREE) * UNITS_PER_DEGREE);

/**
 * Latitude and longitude on WGS84, in millionths of a degree, of a reference on the British grid, or on the Irish
 * one for Northern Ireland; right to about five metres. For the editions before May 2015, which have no others.
 */
export function degreesOfGrid(easting: number, northing: number, country: string) {
  if (easting === NO_COORDINATE || northing === NO_COORDINATE) {
    return { latitude: NO_COORDINATE, longitude: NO_COORDINATE };
  }
  const grid = country === NORTHERN_IRELAND ? IRISH : BRITISH;
  const own = unproject(grid, easting, northing);
  const { latitude, longitude } = toWgs84(grid, own.latitude, own.longitude);
  return { latitude: units(latitude), longitude: units(longitude) };
}
