import fc from 'fast-check';
import { ServiceError } from '../platform/errors.js';
import type { Share } from './fair-queue.js';
import { names, settle, workshop } from '../../../test/fixtures/capture/workshop.js';

const shares = fc.constantFrom<Share>('whole', 'allButOne', 1, 2, 5);
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('take' as const), account: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ kind: fc.constantFrom('end' as const, 'leave' as const), at: fc.nat(20) }),
  ),
  { maxLength: 60 },
);

test('in any order of events: no bound is exceeded, no account is skipped, and nothing is left behind', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.nat(9),
      fc.record({ a: shares, b: shares, c: shares, d: shares }),
      steps,
      async (places, queueLength, shareOf, script) => {
        const shop = workshop(places, queueLength);
        const { slots, began, outcomes } = shop;
        const callers = new Map<string, AbortController>();
        const taken: string[] = [];
        const of = (account: string, list: readonly string[]) =>
          list.filter((name) => name.startsWith(account));
        const mayRun = (share: Share) =>
          share === 'whole' ? places : share === 'allButOne' ? Math.max(1, places - 1) : share;
        const waiting = () => taken.filter((name) => !began.includes(name) && !outcomes.has(name));
        const check = () => {
          const running = shop.running();
          expect(running.length).toBe(slots.active);
          expect(running.length).toBeLessThanOrEqual(places);
          expect(waiting().length).toBe(slots.queued);
          expect(waiting().length).toBeLessThanOrEqual(queueLength);
          for (const [account, share] of Object.entries(shareOf)) {
            const itsRunning = of(account, running).length;
            const itsWaiting = of(account, waiting()).length;
            expect(itsRunning).toBeLessThanOrEqual(mayRun(share));
            if (share !== 'whole') expect(itsWaiting).toBeLessThanOrEqual(Math.ceil(queueLength / 2));
            // Nobody may wait for a slot that is free and within the quota.
            if (running.length < places && itsRunning < mayRun(share)) expect(itsWaiting).toBe(0);
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
              void shop.take(account, name, shareOf[account], caller.signal).catch(() => undefined);
              callers.set(name, caller);
              taken.push(name);
            } catch (error) {
              expect(error).toMatchObject({ retryAfterSeconds: 5 });
              const isOfAccount = error instanceof ServiceError && error.kind === 'rateLimited';
              if (isOfAccount)
                expect(of(account, [...shop.running(), ...waiting()]).length).toBeGreaterThan(0);
              else expect(waiting().length).toBe(queueLength);
            }
          } else if (step.kind === 'end') await shop.end(shop.running()[step.at] ?? '');
          else callers.get(waiting()[step.at] ?? '')?.abort();
          await settle();
          check();
        }
        while (slots.active > 0) {
          const before = began.length;
          const stillWaiting = waiting();
          await shop.end(shop.running()[0] ?? '');
          check();
          for (const name of began.slice(before)) expect(stillWaiting).toContain(name);
        }
        expect(slots).toMatchObject({ active: 0, queued: 0 });
      },
    ),
  );
});

test('no account waits for more than one turn of each of the others, however much they request', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 5 }),
      async (places, others) => {
        const shop = workshop(places, 1_000);
        const greedy = names('greedy', others);
        for (const account of greedy)
          for (const name of names(`${account}-`, 20)) void shop.take(account, name);
        void shop.take('modest', 'modest');
        await settle();
        let ended = 0;
        while (!shop.began.includes('modest')) {
          await shop.end(shop.running()[0] ?? '');
          ended += 1;
        }
        expect(ended).toBeLessThanOrEqual(others + 1);
      },
    ),
  );
});
