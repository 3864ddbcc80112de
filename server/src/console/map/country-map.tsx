import { LAKE, LAND, NEIGHBOUR } from './coastline.js';
import { COUNTRY_MAP_SIZE, isOnCountryMap, onCountryMap, shorePath, type DrawnPlace } from './projection.js';

const CAPITALS = [
  { name: 'London', latitude: 51.507, longitude: -0.128 },
  { name: 'Edinburgh', latitude: 55.953, longitude: -3.188 },
  { name: 'Cardiff', latitude: 51.481, longitude: -3.179 },
  { name: 'Belfast', latitude: 54.597, longitude: -5.93 },
] as const;

/** Where the point's label lies: below the point, above it near the southern edge, never past the sides. */
const LABEL = { below: 62, above: -40, halfWidth: 120, height: 44 };
/** A capital nearer than this to the point gives way to it. */
const CROWDED_KM = 60;

const NEIGHBOUR_PATH = shorePath([NEIGHBOUR]);
const LAND_PATH = shorePath(LAND);
const LAKE_PATH = shorePath([LAKE]);

function Capital({ name, place }: { readonly name: string; readonly place: DrawnPlace }) {
  return (
    <g class="map-town">
      <circle cx={place.x} cy={place.y} r="6" />
      <text x={place.x} y={place.y - 16} text-anchor="middle">
        {name}
      </text>
    </g>
  );
}

/** The middle of the base line of the point's label. */
function labelPlace({ x, y }: DrawnPlace): DrawnPlace {
  const { below, above, halfWidth } = LABEL;
  const { width, height } = COUNTRY_MAP_SIZE;
  return {
    x: Math.min(width - halfWidth, Math.max(halfWidth, x)),
    y: y + (y + below + LABEL.height > height ? above : below),
  };
}

function isCrowded(capital: DrawnPlace, point: DrawnPlace): boolean {
  if (Math.hypot(capital.x - point.x, capital.y - point.y) < CROWDED_KM) return true;
  const label = labelPlace(point);
  return (
    Math.abs(capital.x - label.x) < 1.6 * LABEL.halfWidth &&
    Math.abs(capital.y - label.y) < 1.3 * LABEL.height
  );
}

function Point({ label, place }: { readonly label: string; readonly place: DrawnPlace }) {
  const { x, y } = labelPlace(place);
  return (
    <g class="map-point">
      <circle class="map-halo" cx={place.x} cy={place.y} r="26" />
      <circle class="map-dot" cx={place.x} cy={place.y} r="11" />
      <text x={x} y={y} text-anchor="middle">
        {label}
      </text>
    </g>
  );
}

interface CountryMapProps {
  /** The point's name, e.g. its postcode. */
  readonly label: string;
  /** Degrees, WGS84. */
  readonly latitude: number;
  readonly longitude: number;
  /** Where the point lies, in words, for those who do not see the map. */
  readonly whereabouts: string;
}

/** The United Kingdom with one point on it. */
export function CountryMap({ label, latitude, longitude, whereabouts }: CountryMapProps) {
  const point = onCountryMap(latitude, longitude);
  const capitals = CAPITALS.map((capital) => ({
    name: capital.name,
    place: onCountryMap(capital.latitude, capital.longitude),
  })).filter(({ place }) => !isCrowded(place, point));
  const { width, height } = COUNTRY_MAP_SIZE;
  return (
    <svg
      class="map country-map"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={`Map of the United Kingdom with ${label} marked: ${whereabouts}.`}
    >
      <rect class="map-sea" width={width} height={height} />
      <path class="map-neighbour" d={NEIGHBOUR_PATH} />
      <path class="map-land" d={LAND_PATH} />
      <path class="map-lake" d={LAKE_PATH} />
      {capitals.map((capital) => (
        <Capital key={capital.name} {...capital} />
      ))}
      {isOnCountryMap(point) ? <Point label={label} place={point} /> : null}
    </svg>
  );
}
