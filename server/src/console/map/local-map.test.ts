import { gridOf } from './local-map.js';
import { LOCAL_MAP_SIDE } from './projection.js';

test.each([
  [60, 20],
  [354, 100],
  [1_180, 200],
  [5_900, 2_000],
  [23_600, 5_000],
])('a map that reaches %d m from its middle has a grid line every %d m', (halfSideMetres, stepMetres) => {
  expect(gridOf(halfSideMetres).stepMetres).toBeCloseTo(stepMetres, 9);
});

test('grid lines are a round distance apart; one is in the middle, with two to six on each side', () => {
  for (let halfSideMetres = 60; halfSideMetres <= 40_000; halfSideMetres += 7) {
    const { positions, stepMetres } = gridOf(halfSideMetres);
    expect(String(stepMetres)).toMatch(/^[125]0*$/u);
    expect(positions).toContain(LOCAL_MAP_SIDE / 2);
    const each = (positions.length - 1) / 2;
    expect([2, 3, 4, 5, 6]).toContain(each);
    expect(Math.min(...positions)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...positions)).toBeLessThanOrEqual(LOCAL_MAP_SIDE);
  }
});
