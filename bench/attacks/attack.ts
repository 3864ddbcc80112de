import type { SignpostProcess } from '../signpost-process.js';
import type { Facts, Neighbour } from './neighbours.js';

/** The input of an attack, which runs in its own thread. */
export interface Target {
  readonly url: string;
  readonly facts: Facts;
}

/**
 * One attack, which is one row of the results. The files in this folder define the attacks, and `list.ts` lists them.
 */
export interface Attack {
  readonly name: string;
  /** The neighbour whose requests are measured during the attack. */
  readonly neighbour: Neighbour;
  /** Extra server settings. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Runs once, before anything is measured. */
  readonly prepare?: (signpost: SignpostProcess) => Promise<Facts>;
  /** Runs the attack. May run forever, because its thread is ended after the measurement. */
  readonly run: (target: Target) => Promise<unknown>;
}

/** Calls `act` over and over, `count` calls at a time. */
export const repeat = (count: number, act: (index: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: count }, async (_, index): Promise<never> => {
      for (;;) await act(index);
    }),
  );
