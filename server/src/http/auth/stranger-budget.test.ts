import { StrangerBudget } from './stranger-budget.js';

const BURST = 600;

function createBudget() {
  let nowMs = 0;
  const budget = new StrangerBudget(() => nowMs);
  const takeAll = (ip: string) => {
    for (let taken = 0; taken < BURST; taken += 1) expect(budget.take({ ip })).toBeUndefined();
  };
  return { budget, takeAll, passMs: (ms: number) => (nowMs += ms) };
}

test('tells an address that used up its burst when to try again, then allows 20 requests a second', () => {
  const { budget, takeAll, passMs } = createBudget();
  takeAll('203.0.113.1');
  expect(budget.take({ ip: '203.0.113.1' })).toMatchObject({ kind: 'rateLimited', retryAfterSeconds: 1 });
  passMs(1_000);
  const answered = Array.from({ length: 50 }, () => budget.take({ ip: '203.0.113.1' })).filter(
    (rejection) => rejection === undefined,
  );
  expect(answered).toHaveLength(20);
});

test('a request is within the budget if only another address used its budget up', () => {
  const { budget, takeAll } = createBudget();
  takeAll('203.0.113.1');
  expect(budget.take({ ip: '203.0.113.2' })).toBeUndefined();
});

test('gives all addresses of an IPv6 /64 one budget', () => {
  const { budget, takeAll } = createBudget();
  takeAll('2001:db8:1:2::1');
  expect(budget.take({ ip: '2001:db8:1:2:3:4:5:6' })).toBeDefined();
  expect(budget.take({ ip: '2001:db8:1:3::1' })).toBeUndefined();
});

test('starts one request without credentials per turn of the event loop', async () => {
  const { budget } = createBudget();
  let turn = 0;
  const started: number[] = [];
  const countTurns = () => {
    turn += 1;
    if (started.length < 3) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const requests = ['203.0.113.1', '203.0.113.2', '203.0.113.3'].map(async (ip) => {
    await budget.admit({ ip });
    started.push(turn);
  });
  await Promise.all(requests);
  expect(new Set(started).size).toBe(3);
});

test('starts eight requests in two turns of the event loop if four may start in each turn', async () => {
  const { budget } = createBudget();
  await budget.awaitStart();
  let turn = 0;
  const started: number[] = [];
  const countTurns = () => {
    turn += 1;
    if (started.length < 8) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      await budget.awaitStart(4);
      started.push(turn);
    }),
  );
  expect(new Set(started).size).toBe(2);
});

test('rejects requests when 1,000 wait, and serves again once they are through', async () => {
  const { budget } = createBudget();
  const waiting = Array.from({ length: 1_000 }, (_, place) =>
    budget.admit({ ip: `198.51.${place % 250}.1` }),
  );
  await expect(budget.admit({ ip: '203.0.113.1' })).rejects.toMatchObject({ kind: 'overloaded' });
  await Promise.all(waiting);
  await expect(budget.admit({ ip: '203.0.113.1' })).resolves.toBeUndefined();
});

test('a request that only waits for its turn uses no budget, and at most 1,000 such requests wait', async () => {
  const { budget, takeAll } = createBudget();
  takeAll('203.0.113.1');
  const waiting = Array.from({ length: 1_000 }, () => budget.awaitStart());
  await expect(budget.awaitStart()).rejects.toMatchObject({ kind: 'overloaded' });
  await Promise.all(waiting);
  await expect(budget.awaitStart()).resolves.toBeUndefined();
});

test('an address without budget gets rateLimited and not overloaded, even if too many requests wait', async () => {
  const { budget, takeAll } = createBudget();
  takeAll('203.0.113.1');
  const waiting = Array.from({ length: 1_000 }, () => budget.awaitStart());
  await expect(budget.admit({ ip: '203.0.113.1' })).rejects.toMatchObject({ kind: 'rateLimited' });
  await Promise.all(waiting);
});

test('refuses one request beyond the budget per turn of the event loop, without delaying one within the budget', async () => {
  const { budget, takeAll } = createBudget();
  takeAll('203.0.113.1');
  let turn = 0;
  const refusedIn: number[] = [];
  const countTurns = () => {
    turn += 1;
    if (refusedIn.length < 20) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const refused = Array.from({ length: 20 }, () =>
    budget.admit({ ip: '203.0.113.1' }).catch(() => refusedIn.push(turn)),
  );
  await budget.admit({ ip: '203.0.113.2' });
  expect(turn).toBeLessThan(2);
  await Promise.all(refused);
  expect(new Set(refusedIn).size).toBe(20);
});
