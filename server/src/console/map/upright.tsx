import type { ComponentChildren } from 'preact';
import type { Position } from './projection.js';

interface UprightProps {
  readonly position: Position;
  readonly class?: string;
  /** The 0-based position of the table row or list item that belongs to the drawing. */
  readonly row?: number;
  readonly children: ComponentChildren;
}

/** A drawing at a position on a map. It keeps its size when the map is zoomed. */
export const Upright = ({ position, class: name, row, children }: UprightProps) => (
  <g class={name} transform={`translate(${position.x.toFixed(1)} ${position.y.toFixed(1)})`} data-row={row}>
    <g class="map-upright">{children}</g>
  </g>
);

/** The number of a row, counted from 1, in a circle. */
export const RowNumber = ({ row, radius }: { readonly row: number; readonly radius: number }) => (
  <>
    <circle r={radius} />
    <text dy="0.35em" text-anchor="middle">
      {row + 1}
    </text>
  </>
);
