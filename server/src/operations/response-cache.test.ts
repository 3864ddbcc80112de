import { DAY_MS } from '../platform/time-units.js';
import { ResponseCache } from './response-cache.js';

function answers(maxBytes = 10_000) {
  let nowMs = 5_000;
  const kept = new ResponseCache<string>({
    maxBytes,
    bytesOf: ({ length }) => length,
    monotonicMs: () => nowMs,
  });
  return { kept, pass: (ms: number) => (nowMs += ms) };
}

test('an entry is found only by its account and exactly the same request, if it is no older than the requested age', () => {
  const { kept, pass } = answers();
  kept.keep('acc_ada', { url: 'a', width: 1 }, 'one', DAY_MS);
  pass(1_500);
  expect(kept.find('acc_ada', { url: 'a', width: 1 }, 1_500)).toEqual({ answer: 'one', ageMs: 1_500 });
  expect(kept.find('acc_ada', { url: 'a', width: 1 }, 1_499)).toBeUndefined();
  expect(kept.find('acc_ada', { url: 'a', width: 2 }, DAY_MS)).toBeUndefined();
  expect(kept.find('acc_eve', { url: 'a', width: 1 }, DAY_MS)).toBeUndefined();
});

test('an entry disappears when its time is over or when it is dropped', () => {
  const { kept, pass } = answers();
  kept.keep('acc_ada', 'a', 'one', 1_000);
  kept.keep('acc_ada', 'b', 'two', DAY_MS);
  pass(1_001);
  expect(kept.find('acc_ada', 'a', DAY_MS)).toBeUndefined();
  kept.drop('acc_ada', 'b');
  expect(kept.find('acc_ada', 'b', DAY_MS)).toBeUndefined();
});

test('the cache is bounded, and keeps the entries that were added last', () => {
  const { kept } = answers(3_000);
  for (const asked of ['a', 'b', 'c']) kept.keep('acc_ada', asked, 'x'.repeat(700), DAY_MS);
  expect(['a', 'b', 'c'].map((asked) => kept.find('acc_ada', asked, DAY_MS)?.answer.length)).toEqual([
    undefined,
    700,
    700,
  ]);
  kept.keep('acc_ada', 'd', 'x'.repeat(3_000), DAY_MS);
  expect(kept.find('acc_ada', 'd', DAY_MS)).toBeUndefined();
});

test('forgetting an account drops all of its entries and no others', () => {
  const { kept } = answers();
  for (const account of ['acc_a', 'acc_ab']) kept.keep(account, 'a', account, DAY_MS);
  kept.keep('acc_a', 'b', 'more', DAY_MS);
  expect(kept.accountIds().toSorted()).toEqual(['acc_a', 'acc_ab']);
  kept.forget('acc_a');
  expect(kept.accountIds()).toEqual(['acc_ab']);
});
