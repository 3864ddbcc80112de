import type { SignpostProcess } from '../signpost-process.js';
import type { Facts, Neighbour } from './neighbours.js';

/** What an attack works with, in a thread of its own. */
export interface Target {
  readonly url: string;
  readonly facts: Facts;
}

/** One row of the table. Each attack has a file of its own in this folder, and its place in `list.ts`. */
export interface Attack {
  readonly name: string;
  /** Whose requests are measured. */
  readonly neighbour: Neighbour;
  /** Settings of the server beside the usual ones. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Runs once, before anything is measured. */
  readonly prepare?: (signpost: SignpostProcess) => Promise<Facts>;
  /** Attacks. Its thread is ended with the measurement, so it may go on for ever. */
  readonly run: (target: Target) => Promise<unknown>;
}

/** Does the same over and over, at so many places at a time. */
export const repeat = (places: number, act: (place: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: places }, async (_, place): Promise<never> => {
      for (;;) await act(place);
    }),
  );
