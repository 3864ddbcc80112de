import { shareReads } from './share-reads.js';

/** Returns a read function, and a function for each of its reads that ends the read with a value. */
function slowReads() {
  const finish: ((value: number) => void)[] = [];
  const read = shareReads<string, number>(() => new Promise((resolve) => finish.push(resolve)));
  return { read, finish };
}

test('callers that come during a read share the next read', async () => {
  const { read, finish } = slowReads();
  const first = read('a');
  const later = [read('a'), read('a'), read('a')];
  expect(finish).toHaveLength(1);
  finish[0]?.(1);
  expect(await first).toBe(1);
  await new Promise(setImmediate);
  expect(finish).toHaveLength(2);
  finish[1]?.(2);
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
});

test('reads of different keys do not wait for each other', async () => {
  const { read, finish } = slowReads();
  const both = [read('a'), read('b')];
  expect(finish).toHaveLength(2);
  for (const [index, end] of finish.entries()) end(index);
  expect(await Promise.all(both)).toEqual([0, 1]);
});

test('a failed read fails only its own callers', async () => {
  let reads = 0;
  const read = shareReads<string, number>(() => {
    reads += 1;
    return reads === 1 ? Promise.reject(new Error('locked')) : Promise.resolve(reads);
  });
  const first = read('a');
  const second = read('a');
  await expect(first).rejects.toThrow('locked');
  expect(await second).toBe(2);
});
