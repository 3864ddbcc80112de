import type { ComponentChildren } from 'preact';
import type { DrawnPlace } from './projection.js';

interface UprightProps {
  readonly place: DrawnPlace;
  readonly class?: string;
  /** The row of the table that is about it. */
  readonly row?: number;
  /** Drawn around its own origin. */
  readonly children: ComponentChildren;
}

/** What stands at a place of a map in a size that stays the same however near the map is looked at. */
export const Upright = ({ place, class: name, row, children }: UprightProps) => (
  <g class={name} transform={`translate(${place.x.toFixed(1)} ${place.y.toFixed(1)})`} data-row={row}>
    <g class="map-upright">{children}</g>
  </g>
);
