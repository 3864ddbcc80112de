import { Slots, type Reservation, type Share } from '../slots.js';

export const never = () => new AbortController().signal;

export const names = (account: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${account}${at}`);

/** Lets everything that was resolved go on. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Work that begins when it gets a place, and ends when the test says so. */
export function workshop(places: number, queueLength: number) {
  const slots = new Slots(() => places, queueLength);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const outcomes = new Map<string, unknown>();
  const run = (reservation: Reservation, name: string, signal = never()) => {
    const work = () => {
      began.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve('done')));
    };
    const running = reservation.run(signal, work);
    running.then(
      (outcome) => outcomes.set(name, outcome),
      (error: unknown) => outcomes.set(name, error),
    );
    return running;
  };
  return {
    slots,
    began,
    outcomes,
    run,
    take: (account: string, name: string, share: Share = 'whole', signal = never()) =>
      run(slots.reserve(account, share), name, signal),
    end: async (name: string) => {
      ends.get(name)?.();
      ends.delete(name);
      await settle();
    },
    running: () => [...ends.keys()],
  };
}
