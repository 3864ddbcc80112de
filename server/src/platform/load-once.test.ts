import { loadOnce } from './load-once.js';

test('callers share one value, and a failed load is tried again at the next call', async () => {
  let loads = 0;
  const value = loadOnce(() => {
    loads += 1;
    return loads === 1 ? Promise.reject(new Error('Not yet.')) : Promise.resolve(loads);
  });
  await expect(Promise.all([value(), value()])).rejects.toThrow('Not yet.');
  expect(loads).toBe(1);
  expect(await Promise.all([value(), value()])).toEqual([2, 2]);
  expect([await value(), loads]).toEqual([2, 2]);
});
