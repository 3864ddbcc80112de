import { formatDistance } from '../layout/formatting.js';
import { LOCAL_MAP_SIDE, localProjection } from './local-projection.js';
import { NumberedPoints } from './numbered-points.js';

const NICE = [5, 2, 1] as const;

/** The largest of 1, 2 and 5 times a power of ten that is not above `most`; both in the same unit, above 0. */
export function niceStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  // A quotient may come out a hair below what it is: 3e-1 / 1e-1 is 2.9999….
  const step = NICE.find((digit) => digit <= (most / power) * (1 + Number.EPSILON)) ?? 1;
  return step * power;
}

const MIDDLE = LOCAL_MAP_SIDE / 2;
const GRID_LINES_EACH_WAY = 2.5;
/** A circle that is larger than this many times what was found is left out, or all points would lie on one spot. */
const LARGEST_CIRCLE = 2.5;
const BAR = { x: 24, y: LOCAL_MAP_SIDE - 28, tick: 8 };

/** A point of a map, in degrees, and how far it is from the middle. */
export interface LocalPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly distanceMetres: number;
}

interface LocalMapProps {
  /** The name of the point in the middle, e.g. its postcode. */
  readonly label: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusMetres: number;
  /** Numbered from 1 in this order, nearest first. */
  readonly points: readonly LocalPoint[];
}

function Grid({ step }: { readonly step: number }) {
  const offsets: number[] = [];
  for (let offset = 0; offset < MIDDLE; offset += step)
    offsets.push(...(offset === 0 ? [0] : [-offset, offset]));
  return (
    <path
      class="map-grid"
      d={offsets
        .map((offset) => `M${MIDDLE + offset} 0V${LOCAL_MAP_SIDE}M0 ${MIDDLE + offset}H${LOCAL_MAP_SIDE}`)
        .join('')}
    />
  );
}

function ScaleBar({ length, words }: { readonly length: number; readonly words: string }) {
  const { x, y, tick } = BAR;
  return (
    <g class="map-scale">
      <rect class="map-plate" x={x - 12} y={y - 36} width={length + 24} height={52} rx="8" />
      <path d={`M${x} ${y - tick}V${y}H${x + length}V${y - tick}`} />
      <text x={x + length / 2} y={y - 12} text-anchor="middle">
        {words}
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

/** The ground around a point: numbered points, the circle that was searched, a grid, a scale bar; north is up. */
export function LocalMap({ label, latitude, longitude, radiusMetres, points }: LocalMapProps) {
  const farthest = points.at(-1)?.distanceMetres ?? radiusMetres;
  const isCircleSeen = radiusMetres <= LARGEST_CIRCLE * farthest;
  const { halfSideMetres, unitsPerMetre, place } = localProjection(
    latitude,
    longitude,
    isCircleSeen ? radiusMetres : farthest,
  );
  const stepMetres = niceStep(halfSideMetres / GRID_LINES_EACH_WAY);
  const step = stepMetres * unitsPerMetre;
  const radius = radiusMetres * unitsPerMetre;
  const found =
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
        aria-label={`Map of the ground around ${label}, ${formatDistance(2 * Math.round(halfSideMetres))} wide, north up: ${found}.`}
      >
        <rect class="map-ground" width={LOCAL_MAP_SIDE} height={LOCAL_MAP_SIDE} />
        {isCircleSeen ? <circle class="map-radius" cx={MIDDLE} cy={MIDDLE} r={radius} /> : null}
        <Grid step={step} />
        <circle class="map-halo" cx={MIDDLE} cy={MIDDLE} r="16" />
        <NumberedPoints places={points.map((point) => place(point.latitude, point.longitude))} />
        <path class="map-middle" d={`M${MIDDLE - 16} ${MIDDLE}h32M${MIDDLE} ${MIDDLE - 16}v32`} />
        <ScaleBar length={step} words={formatDistance(stepMetres)} />
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
