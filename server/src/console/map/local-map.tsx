import { scaleLinear } from 'd3-scale';
import { formatDistance } from '../layout/formatting.js';
import { LOCAL_MAP_SIDE, localProjection } from './projection.js';
import { NumberedPoints } from './numbered-points.js';
import { Upright } from './upright.js';

const MIDDLE = LOCAL_MAP_SIDE / 2;
/** The desired number of grid lines in each direction. d3 picks a number near it for which the distances are round. */
const TARGET_GRID_LINES = 8;
/**
 * The circle that was searched is left out if its radius is more than this many times the distance of the farthest
 * point, because the points would be crowded in its middle.
 */
const MAX_CIRCLE_TO_FOUND = 2.5;
const BAR = { x: 24, y: LOCAL_MAP_SIDE - 28, tick: 8 };

/** A point on a map, in degrees, and its distance from the middle. */
export interface LocalPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly distanceMetres: number;
}

interface LocalMapProps {
  readonly label: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusMetres: number;
  /** Numbered from 1 in this order, nearest first. */
  readonly points: readonly LocalPoint[];
}

/** The positions of a map's grid lines, including one through the middle, and the round distance between two lines. */
export function gridOf(halfSideMetres: number) {
  const scale = scaleLinear([-halfSideMetres, halfSideMetres], [0, LOCAL_MAP_SIDE]);
  const ticks = scale.ticks(TARGET_GRID_LINES);
  const [first = 0, second = halfSideMetres] = ticks;
  return { positions: ticks.map(scale), stepMetres: second - first };
}

const Grid = ({ positions }: { readonly positions: readonly number[] }) => (
  <path
    class="map-grid"
    d={positions
      .map((position) => `M${position} 0V${LOCAL_MAP_SIDE}M0 ${position}H${LOCAL_MAP_SIDE}`)
      .join('')}
  />
);

function ScaleBar({ length, label }: { readonly length: number; readonly label: string }) {
  const { x, y, tick } = BAR;
  return (
    <g class="map-scale">
      <rect class="map-plate" x={x - 12} y={y - 36} width={length + 24} height={52} rx="8" />
      <path d={`M${x} ${y - tick}V${y}H${x + length}V${y - tick}`} />
      <text x={x + length / 2} y={y - 12} text-anchor="middle">
        {label}
      </text>
    </g>
  );
}

function NorthArrow() {
  const x = LOCAL_MAP_SIDE - 34;
  return (
    <g class="map-north">
      <circle class="map-plate" cx={x} cy="38" r="26" />
      <path d={`M${x} 18L${x + 9} 38H${x - 9}Z`} />
      <text x={x} y="57" text-anchor="middle">
        N
      </text>
    </g>
  );
}

/** A map around a point, north up: numbered points, the searched circle if it is not too large, a grid, a scale bar. */
export function LocalMap({ label, latitude, longitude, radiusMetres, points }: LocalMapProps) {
  const farthest = points.at(-1)?.distanceMetres ?? radiusMetres;
  const isCircleSeen = radiusMetres <= MAX_CIRCLE_TO_FOUND * farthest;
  const { halfSideMetres, unitsPerMetre, project, data } = localProjection(
    latitude,
    longitude,
    isCircleSeen ? radiusMetres : farthest,
  );
  const { positions, stepMetres } = gridOf(halfSideMetres);
  const radius = radiusMetres * unitsPerMetre;
  const summary =
    points.length === 0
      ? 'no active postcode in range'
      : `${points.length} numbered ${points.length === 1 ? 'postcode' : 'postcodes'}, the table lists them`;
  return (
    <figure class="local-map-figure">
      <svg
        class="map local-map"
        viewBox={`0 0 ${LOCAL_MAP_SIDE} ${LOCAL_MAP_SIDE}`}
        width={LOCAL_MAP_SIDE}
        height={LOCAL_MAP_SIDE}
        role="img"
        {...data}
        aria-label={`Map of the ground around ${label}, ${formatDistance(2 * Math.round(halfSideMetres))} wide, north up: ${summary}.`}
      >
        <rect class="map-ground" width={LOCAL_MAP_SIDE} height={LOCAL_MAP_SIDE} />
        {isCircleSeen ? <circle class="map-radius" cx={MIDDLE} cy={MIDDLE} r={radius} /> : null}
        <Grid positions={positions} />
        <NumberedPoints positions={points.map((point) => project(point.latitude, point.longitude))} />
        <Upright position={{ x: MIDDLE, y: MIDDLE }}>
          <circle class="map-halo" r="16" />
          <path class="map-middle" d="M-16 0h32M0 -16v32" />
        </Upright>
        <ScaleBar length={stepMetres * unitsPerMetre} label={formatDistance(stepMetres)} />
        <NorthArrow />
      </svg>
      <figcaption>
        {`Around ${label}, marked by the cross; north is up, grid lines every ${formatDistance(stepMetres)}. `}
        {isCircleSeen
          ? `The dashed circle has the radius that was searched, ${formatDistance(radiusMetres)}.`
          : `The circle that was searched, ${formatDistance(radiusMetres)} around, is larger than this map.`}
      </figcaption>
    </figure>
  );
}
