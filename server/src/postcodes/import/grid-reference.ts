import proj4 from 'proj4';
import { NO_COORDINATE, UNITS_PER_DEGREE } from '../table/directory-data.js';

const NORTHERN_IRELAND = 'N92000002';

/**
 * The British grid in the notation of proj4, with its ellipsoid and the Helmert transformation from its datum to WGS84.
 */
const BRITISH_GRID =
  '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +a=6377563.396 +b=6356256.909 ' +
  '+towgs84=446.448,-125.157,542.06,0.1502,0.247,0.8421,-20.4894';
const IRISH_GRID =
  '+proj=tmerc +lat_0=53.5 +lon_0=-8 +k=1.000035 +x_0=200000 +y_0=250000 +a=6377340.189 +b=6356034.447 ' +
  '+towgs84=482.53,-130.596,564.557,-1.042,-0.214,-0.631,8.15';

const british = proj4(BRITISH_GRID, 'WGS84');
const irish = proj4(IRISH_GRID, 'WGS84');

const units = (degrees: number) => Math.round(degrees * UNITS_PER_DEGREE);

/**
 * Converts a reference on the British grid, or on the Irish grid for Northern Ireland, to latitude and longitude on
 * WGS84 in millionths of a degree. Accurate to about five metres. Returns NO_COORDINATE for both if either input is
 * NO_COORDINATE. Needed for editions before May 2015, which have only grid references.
 */
export function degreesOfGrid(easting: number, northing: number, country: string) {
  if (easting === NO_COORDINATE || northing === NO_COORDINATE) {
    return { latitude: NO_COORDINATE, longitude: NO_COORDINATE };
  }
  const grid = country === NORTHERN_IRELAND ? irish : british;
  const [longitude, latitude] = grid.forward<[number, number]>([easting, northing]);
  return { latitude: units(latitude), longitude: units(longitude) };
}
