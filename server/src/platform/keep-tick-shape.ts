import { executionAsyncResource } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps one of the objects that `process.nextTick` makes, for good. Where V8 collects garbage while there is none, it
 * forgets their shape, and every tick takes two to three times as long from then on; each request has about ten. What
 * lookups gain by it after a collection is printed by `npm run bench -- --only wire`.
 */
export const keepTickShape = () =>
  new Promise<object>((resolve) => {
    process.nextTick(() => {
      const tick = executionAsyncResource();
      kept.push(tick);
      resolve(tick);
    });
  });
