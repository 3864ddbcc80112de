import type { DrawnPlace } from './country-projection.js';
import { LOCAL_MAP_SIDE } from './local-projection.js';
import { spreadLabels } from './spread-labels.js';

const MIDDLE = LOCAL_MAP_SIDE / 2;
/** Many labels have to be smaller to have room. */
const MANY = 30;
const LARGE = { radius: 15, className: 'map-numbers' };
const SMALL = { radius: 11, className: 'map-numbers small-numbers' };

/** Dots where the points are, and their numbers beside each other with a line to each dot. */
export function NumberedPoints({ places }: { readonly places: readonly DrawnPlace[] }) {
  const { radius, className } = places.length > MANY ? SMALL : LARGE;
  const labels = spreadLabels(places, {
    gap: 2 * radius + 3,
    from: radius + 2,
    to: LOCAL_MAP_SIDE - radius - 2,
    obstacle: { x: MIDDLE, y: MIDDLE },
  });
  return (
    <g class={className}>
      {places.map((place, index) => {
        const label = labels[index] ?? place;
        return (
          <g key={index}>
            <path
              d={`M${place.x.toFixed(1)} ${place.y.toFixed(1)}L${label.x.toFixed(1)} ${label.y.toFixed(1)}`}
            />
            <circle class="map-dot" cx={place.x.toFixed(1)} cy={place.y.toFixed(1)} r="4.5" />
          </g>
        );
      })}
      {labels.map((label, index) => (
        <g key={index}>
          <circle cx={label.x.toFixed(1)} cy={label.y.toFixed(1)} r={radius} />
          <text x={label.x.toFixed(1)} y={label.y.toFixed(1)} dy="0.35em" text-anchor="middle">
            {index + 1}
          </text>
        </g>
      ))}
    </g>
  );
}
