import fc from 'fast-check';
import { ServiceError } from '../platform/errors.js';
import type { CaptureQuota } from './fair-queue.js';
import { names, settle, controlledQueue } from '../../../test/fixtures/capture/controlled-queue.js';

const quotas = fc.constantFrom<CaptureQuota>('whole', 'allButOne', 1, 2, 5);
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('take' as const), account: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ kind: fc.constantFrom('end' as const, 'leave' as const), at: fc.nat(20) }),
  ),
  { maxLength: 60 },
);

test('in any order of captures, limits hold, and no account waits while it may use a free slot', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.nat(9),
      fc.record({ a: quotas, b: quotas, c: quotas, d: quotas }),
      steps,
      async (slots, queueLength, quotaOf, script) => {
        const controlled = controlledQueue(slots, queueLength);
        const { queue, began, outcomes } = controlled;
        const callers = new Map<string, AbortController>();
        const taken: string[] = [];
        const of = (account: string, list: readonly string[]) =>
          list.filter((name) => name.startsWith(account));
        const mayRun = (quota: CaptureQuota) =>
          quota === 'whole' ? slots : quota === 'allButOne' ? Math.max(1, slots - 1) : quota;
        const waiting = () => taken.filter((name) => !began.includes(name) && !outcomes.has(name));
        const check = () => {
          const running = controlled.running();
          expect(running.length).toBe(queue.active);
          expect(running.length).toBeLessThanOrEqual(slots);
          expect(waiting().length).toBe(queue.queued);
          expect(waiting().length).toBeLessThanOrEqual(queueLength);
          for (const [account, quota] of Object.entries(quotaOf)) {
            const itsRunning = of(account, running).length;
            const itsWaiting = of(account, waiting()).length;
            expect(itsRunning).toBeLessThanOrEqual(mayRun(quota));
            if (quota !== 'whole') expect(itsWaiting).toBeLessThanOrEqual(Math.ceil(queueLength / 2));
            // Nobody may have to wait while a slot is free and the account's quota allows it.
            if (running.length < slots && itsRunning < mayRun(quota)) expect(itsWaiting).toBe(0);
            const order = of(account, began);
            expect(order).toEqual(of(account, taken).filter((name) => order.includes(name)));
          }
        };
        for (const [at, step] of script.entries()) {
          if (step.kind === 'take') {
            const { account } = step;
            const caller = new AbortController();
            const name = `${account}${at}`;
            try {
              void controlled.take(account, name, quotaOf[account], caller.signal).catch(() => undefined);
              callers.set(name, caller);
              taken.push(name);
            } catch (error) {
              expect(error).toMatchObject({ retryAfterSeconds: 5 });
              const isOfAccount = error instanceof ServiceError && error.kind === 'rateLimited';
              if (isOfAccount)
                expect(of(account, [...controlled.running(), ...waiting()]).length).toBeGreaterThan(0);
              else expect(waiting().length).toBe(queueLength);
            }
          } else if (step.kind === 'end') await controlled.end(controlled.running()[step.at] ?? '');
          else callers.get(waiting()[step.at] ?? '')?.abort();
          await settle();
          check();
        }
        while (queue.active > 0) {
          const before = began.length;
          const stillWaiting = waiting();
          await controlled.end(controlled.running()[0] ?? '');
          check();
          for (const name of began.slice(before)) expect(stillWaiting).toContain(name);
        }
        expect(queue).toMatchObject({ active: 0, queued: 0 });
      },
    ),
  );
});

test("however much n other accounts request, an account's capture begins after at most n + 1 other captures have ended", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 5 }),
      async (slots, others) => {
        const controlled = controlledQueue(slots, 1_000);
        const greedy = names('greedy', others);
        for (const account of greedy)
          for (const name of names(`${account}-`, 20)) void controlled.take(account, name);
        void controlled.take('modest', 'modest');
        await settle();
        let ended = 0;
        while (!controlled.began.includes('modest')) {
          await controlled.end(controlled.running()[0] ?? '');
          ended += 1;
        }
        expect(ended).toBeLessThanOrEqual(others + 1);
      },
    ),
  );
});
