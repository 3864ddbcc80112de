import { NearestCandidates } from './candidates.js';

const SLACK_METRES = 0.5;

/** Takes the measured distances of points. Returns the indexes of those points that can be the nearest. */
function candidatesOf(...metres: number[]): number[] {
  const candidates = new NearestCandidates(SLACK_METRES);
  candidates.begin(1, 20_000);
  for (const [point, distance] of metres.entries()) {
    if (distance <= candidates.reachMetres) candidates.take(point, distance ** 2);
  }
  return candidates.points();
}

test('a point that seems farther away than the nearest by less than twice the slack stays a candidate', () => {
  expect(candidatesOf(19_900, 19_900.9)).toEqual([0, 1]);
  expect(candidatesOf(19_900.9, 19_900)).toEqual([0, 1]);
});

test('a point that seems farther away than the nearest by more than twice the slack is no candidate', () => {
  expect(candidatesOf(19_900, 19_901.1)).toEqual([0]);
  expect(candidatesOf(19_901.1, 19_900)).toEqual([1]);
});
