import type { Position } from './projection.js';
import { spreadLabels } from './numbered-points.js';

const room = { gap: 30, from: 20, to: 580, obstacle: { x: 300, y: 300 } };

const leastDistance = (labels: readonly Position[]) =>
  Math.min(
    ...labels.flatMap((one, index) =>
      [room.obstacle, ...labels.slice(index + 1)].map((other) =>
        Math.hypot(one.x - other.x, one.y - other.y),
      ),
    ),
  );

test('labels with enough space are not moved', () => {
  const places = [
    { x: 100, y: 100 },
    { x: 100, y: 140 },
    { x: 400, y: 300 },
  ];
  expect(spreadLabels(places, room)).toEqual(places);
});

test('ten labels in one spot are moved apart and off the obstacle, and stay on the map', () => {
  const labels = spreadLabels(
    Array.from({ length: 10 }, () => ({ x: 300, y: 300 })),
    room,
  );
  expect(leastDistance(labels)).toBeGreaterThan(29);
  for (const { x, y } of labels) expect(Math.min(x, y, 600 - x, 600 - y)).toBeGreaterThanOrEqual(20);
});

test('a hundred labels in a corner are moved apart within the map', () => {
  const crowd = Array.from({ length: 100 }, (_, index) => ({ x: 560 + (index % 10), y: 560 + index / 10 }));
  const labels = spreadLabels(crowd, { ...room, gap: 25 });
  expect(leastDistance(labels)).toBeGreaterThan(20);
  for (const { x, y } of labels) expect(Math.max(x, y)).toBeLessThanOrEqual(580);
});

test('spreading the same labels twice gives the same places', () => {
  const places = Array.from({ length: 20 }, (_, index) => ({ x: 300 + (index % 3), y: 300 }));
  expect(spreadLabels(places, room)).toEqual(spreadLabels(places, room));
});
