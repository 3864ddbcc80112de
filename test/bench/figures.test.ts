import { peerFigures } from '../../bench/figures.js';

const OURS = { perSecond: 18_957, p50Ms: 1.6, p99Ms: 3.2 };

test.each([
  [
    'its rate, its p99 and how many times its rate ours is',
    { perSecond: 463.04, p99Ms: 88.449 },
    [463, 88.4, 40.9],
  ],
  [
    'that it finished no request, in words and without a ratio',
    { perSecond: 0, p99Ms: 0 },
    ['none finished', '–', '–'],
  ],
])('the figures of another server show %s', (_what, { perSecond, p99Ms }, [rate, p99, times]) => {
  expect(peerFigures(OURS, { perSecond, p50Ms: p99Ms, p99Ms })).toEqual({
    'postcodes.io/s': rate,
    'postcodes.io p99 ms': p99,
    'times postcodes.io': times,
  });
});

test('the figures of a server that was not measured are dashes', () => {
  expect(Object.values(peerFigures(OURS, undefined))).toEqual(['–', '–', '–']);
});
