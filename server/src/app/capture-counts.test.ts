import { captureCounts } from './capture-counts.js';

const GIGABYTE = 1_000_000_000;
const UNSET = { concurrency: undefined, queue: undefined, endpoints: 0, maxMemoryBytes: GIGABYTE };
const machine = (cores: number, gigabytes: number) => ({ cores, memoryBytes: gigabytes * GIGABYTE });

test.each([
  [machine(2, 16), { concurrency: 6, atWork: 2, queue: 4 }],
  [machine(4, 8), { concurrency: 8, atWork: 4, queue: 12 }],
  [machine(4, 2), { concurrency: 4, atWork: 4, queue: 16 }],
  [machine(1, 1), { concurrency: 1, atWork: 1, queue: 4 }],
])(
  'by default, cores and memory decide the numbers of open pages, captures at work and waiting captures: %p',
  (on, counts) => {
    expect(captureCounts(UNSET, on)).toEqual(counts);
  },
);

test('a configured number of open pages is used, but at most as many captures are at work as there are cores', () => {
  expect(captureCounts({ ...UNSET, concurrency: 1 }, machine(4, 16))).toEqual({
    concurrency: 1,
    atWork: 1,
    queue: 4,
  });
  expect(captureCounts({ ...UNSET, concurrency: 12, queue: 7 }, machine(4, 2))).toEqual({
    concurrency: 12,
    atWork: 4,
    queue: 7,
  });
});

test('the cores of this machine do not limit captures of remote browsers', () => {
  expect(captureCounts({ ...UNSET, endpoints: 3 }, machine(1, 1))).toEqual({
    concurrency: 6,
    atWork: 6,
    queue: 24,
  });
});
