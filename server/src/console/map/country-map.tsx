import type { ComponentChildren } from 'preact';
import type { Point } from '../../postcodes/nearest/distance.js';
import { LAKE, LAND, NEIGHBOUR } from './coastline.js';
import {
  COUNTRY_MAP_SIZE,
  isOnCountryMap,
  toCountryMap,
  drawOutlines,
  type Position,
  COUNTRY_MAP_DATA,
} from './projection.js';
import { RowNumber, Upright } from './upright.js';

const CAPITALS = [
  { name: 'London', latitude: 51.507, longitude: -0.128 },
  { name: 'Edinburgh', latitude: 55.953, longitude: -3.188 },
  { name: 'Cardiff', latitude: 51.481, longitude: -3.179 },
  { name: 'Belfast', latitude: 54.597, longitude: -5.93 },
] as const;

/**
 * The label of the marked point: half its width, its height, and how far it is below the point or, if there is no room
 * below, above it.
 */
const LABEL = { below: 62, above: -40, halfWidth: 120, height: 44 };
/** A capital nearer than this to the point is not drawn. */
const CROWDED_KM = 60;

/** If there are more points than this, they are drawn as dots without numbers. */
const MOST_NUMBERED = 30;
const DOT_RADIUS = 6;
const NUMBER_RADIUS = 13;

const NEIGHBOUR_PATH = drawOutlines([NEIGHBOUR]);
const LAND_PATH = drawOutlines(LAND);
const LAKE_PATH = drawOutlines([LAKE]);

const positionOf = ({ latitude, longitude }: Point) => toCountryMap(latitude, longitude);

const Capital = ({ name, position }: { readonly name: string; readonly position: Position }) => (
  <Upright class="map-town" position={position}>
    <circle r="6" />
    <text y="-16" text-anchor="middle">
      {name}
    </text>
  </Upright>
);

function labelPosition({ x, y }: Position): Position {
  const { below, above, halfWidth } = LABEL;
  const { width, height } = COUNTRY_MAP_SIZE;
  return {
    x: Math.min(width - halfWidth, Math.max(halfWidth, x)),
    y: y + (y + below + LABEL.height > height ? above : below),
  };
}

function isCrowded(capital: Position, point: Position): boolean {
  if (Math.hypot(capital.x - point.x, capital.y - point.y) < CROWDED_KM) return true;
  const label = labelPosition(point);
  return (
    Math.abs(capital.x - label.x) < 1.6 * LABEL.halfWidth &&
    Math.abs(capital.y - label.y) < 1.3 * LABEL.height
  );
}

function MarkedPoint({ label, position }: { readonly label: string; readonly position: Position }) {
  const { x, y } = labelPosition(position);
  return (
    <Upright class="map-point" position={position} row={0}>
      <circle class="map-halo" r="26" />
      <circle class="map-dot" r="11" />
      <text x={x - position.x} y={y - position.y} text-anchor="middle">
        {label}
      </text>
    </Upright>
  );
}

interface CountryProps {
  readonly label: string;
  readonly capitals: readonly (typeof CAPITALS)[number][];
  readonly children: ComponentChildren;
}

/** A map of the United Kingdom with these capitals, and `children` drawn over it. */
function Country({ label, capitals, children }: CountryProps) {
  const { width, height } = COUNTRY_MAP_SIZE;
  return (
    <svg
      class="map country-map"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={label}
      {...COUNTRY_MAP_DATA}
    >
      <rect class="map-sea" width={width} height={height} />
      <path class="map-neighbour" d={NEIGHBOUR_PATH} />
      <path class="map-land" d={LAND_PATH} />
      <path class="map-lake" d={LAKE_PATH} />
      {capitals.map((capital) => (
        <Capital name={capital.name} position={positionOf(capital)} />
      ))}
      {children}
    </svg>
  );
}

interface CountryMapProps {
  readonly label: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The position of the point in words, for people who cannot see the map. */
  readonly whereabouts: string;
}

/** A map of the United Kingdom with one point marked, unless the point is outside the map. */
export function CountryMap({ label, whereabouts, ...point }: CountryMapProps) {
  const position = positionOf(point);
  const isMarked = isOnCountryMap(position);
  return (
    <Country
      label={`Map of the United Kingdom${isMarked ? ` with ${label} marked` : `. ${label} is outside of it`}: ${whereabouts}.`}
      capitals={CAPITALS.filter((capital) => !isCrowded(positionOf(capital), position))}
    >
      {isMarked ? <MarkedPoint label={label} position={position} /> : null}
    </Country>
  );
}

interface CountryDotsProps {
  readonly label: string;
  /** The points, each with the 0-based position of its table row. */
  readonly points: readonly (Point & { readonly row: number })[];
}

/** A map of the United Kingdom with points on it. If there are few, each has the number of its table row. */
export function CountryDots({ label, points }: CountryDotsProps) {
  const areNumbered = points.length <= MOST_NUMBERED;
  return (
    <Country label={`Map of the United Kingdom with ${label} marked.`} capitals={CAPITALS}>
      <g class={areNumbered ? 'map-numbers small-numbers' : undefined}>
        {points
          .map((point) => ({ row: point.row, position: positionOf(point) }))
          .filter(({ position }) => isOnCountryMap(position))
          .map(({ row, position }) => (
            <Upright position={position} row={row}>
              {areNumbered ? (
                <RowNumber row={row} radius={NUMBER_RADIUS} />
              ) : (
                <circle class="map-dot" r={DOT_RADIUS} />
              )}
            </Upright>
          ))}
      </g>
    </Country>
  );
}
