import { NearestCandidates } from './candidates.js';

const SLACK_METRES = 0.5;

/** The candidates for the nearest of points with these measured distances, numbered from 0. */
function candidatesOf(...metres: number[]): number[] {
  const candidates = new NearestCandidates(SLACK_METRES);
  candidates.begin(1, 20_000);
  for (const [point, distance] of metres.entries()) {
    if (distance <= candidates.reachMetres) candidates.take(point, distance ** 2);
  }
  return candidates.points();
}

test('a point stays a candidate if it can be nearer than one that seems up to twice the slack nearer', () => {
  expect(candidatesOf(19_900, 19_900.9)).toEqual([0, 1]);
  expect(candidatesOf(19_900.9, 19_900)).toEqual([0, 1]);
});

test('a point that seems farther than twice the slack behind the nearest is no candidate', () => {
  expect(candidatesOf(19_900, 19_901.1)).toEqual([0]);
  expect(candidatesOf(19_901.1, 19_900)).toEqual([1]);
});
