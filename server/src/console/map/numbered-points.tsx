import { LOCAL_MAP_SIDE, type Position } from './projection.js';
import { RowNumber, Upright } from './upright.js';

const MAX_ROUNDS = 300;
/** The angle between the directions in which labels at the same position are moved apart. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const EPSILON = 1e-6;

interface LabelLayout {
  /** The minimum distance of a label's centre from the centre of any other label, and from the obstacle. */
  readonly gap: number;
  /** The lowest coordinate of a label's centre, on both axes. `to` is the highest. */
  readonly from: number;
  readonly to: number;
  /** A fixed position that the labels keep clear of. */
  readonly obstacle: Position;
}

interface Label {
  x: number;
  y: number;
}

/**
 * How `one` must move to be `gap` from `other`; undefined if it need not. If both are at the same position, `index`
 * determines the direction.
 */
function displacement(one: Position, other: Position, gap: number, index: number): Position | undefined {
  const x = one.x - other.x;
  const y = one.y - other.y;
  const distance = Math.hypot(x, y);
  // A tiny overlap is ignored. Otherwise rounding errors could keep labels moving.
  if (distance >= gap - EPSILON) return undefined;
  if (distance < EPSILON)
    return { x: gap * Math.cos(index * GOLDEN_ANGLE), y: gap * Math.sin(index * GOLDEN_ANGLE) };
  const factor = (gap - distance) / distance;
  return { x: x * factor, y: y * factor };
}

function move(label: Label, offset: Position, factor: number): void {
  label.x += offset.x * factor;
  label.y += offset.y * factor;
}

/** The positions of labels in a square, moved apart and off the obstacle. If the square is too full, they overlap. */
export function spreadLabels(
  positions: readonly Position[],
  { gap, from, to, obstacle }: LabelLayout,
): readonly Position[] {
  const labels: Label[] = positions.map(({ x, y }) => ({ x, y }));
  const inside = (value: number) => Math.min(to, Math.max(from, value));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    let moves = 0;
    labels.forEach((one, index) => {
      const push = displacement(one, obstacle, gap, index);
      if (push !== undefined) {
        move(one, push, 1);
        moves += 1;
      }
      for (const other of labels.slice(index + 1)) {
        const offset = displacement(one, other, gap, index);
        if (offset === undefined) continue;
        move(one, offset, 0.5);
        move(other, offset, -0.5);
        moves += 1;
      }
      one.x = inside(one.x);
      one.y = inside(one.y);
    });
    if (moves === 0) break;
  }
  return labels;
}

const MIDDLE = LOCAL_MAP_SIDE / 2;
/** If there are more points than this, their labels are smaller. */
const MANY = 30;
const LARGE = { radius: 15, className: 'map-numbers' };
const SMALL = { radius: 11, className: 'map-numbers small-numbers' };

/** A dot for each point, and its number nearby, with a line between them. */
export function NumberedPoints({ positions }: { readonly positions: readonly Position[] }) {
  const { radius, className } = positions.length > MANY ? SMALL : LARGE;
  const labels = spreadLabels(positions, {
    gap: 2 * radius + 3,
    from: radius + 2,
    to: LOCAL_MAP_SIDE - radius - 2,
    obstacle: { x: MIDDLE, y: MIDDLE },
  });
  return (
    <g class={className}>
      {positions.map((position, index) => {
        const label = labels[index] ?? position;
        return (
          <g>
            <path
              d={`M${position.x.toFixed(1)} ${position.y.toFixed(1)}L${label.x.toFixed(1)} ${label.y.toFixed(1)}`}
            />
            <Upright position={position} row={index}>
              <circle class="map-dot" r="4.5" />
            </Upright>
          </g>
        );
      })}
      {labels.map((label, index) => (
        <Upright position={label} row={index}>
          <RowNumber row={index} radius={radius} />
        </Upright>
      ))}
    </g>
  );
}
