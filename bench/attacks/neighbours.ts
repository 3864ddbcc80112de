import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { percentile } from '../figures.js';
import type { SignpostProcess } from '../signpost-process.js';
import { send, sendForm } from './send.js';

/** Results of preparing an attack or a neighbour, such as keys. */
export type Facts = Readonly<Record<string, string>>;

/** A caller unrelated to the attack, who sends requests at a steady rate. */
export interface Neighbour {
  readonly name: string;
  readonly everyMs: number;
  /** Runs once, before anything is measured. */
  readonly prepare?: (signpost: SignpostProcess) => Promise<Facts>;
  /** Sends one request; returns whether it succeeded. */
  readonly request: (signpost: SignpostProcess, facts: Facts) => Promise<boolean>;
}

export interface NeighbourFigures {
  readonly sent: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const FROM = '10.200.0.1';
const JSON_TYPE = 'application/json';

const isSuccess = ({ status }: { readonly status: number }) => status >= 200 && status < 400;

/** Lookups of one postcode, with a key that no attack uses. */
export const lookups: Neighbour = {
  name: 'lookups, 100/s',
  everyMs: 10,
  request: async ({ url, apiKey }) =>
    isSuccess(
      await send(url, {
        path: '/api/postcode/lookup',
        from: FROM,
        headers: { 'Content-Type': JSON_TYPE, 'X-Api-Key': apiKey },
        body: '{"postcode":"SW1A 1AA"}',
      }),
    ),
};

/** Screenshots of a page without scripts, with a key that no attack uses. */
export const captures: Neighbour = {
  name: 'screenshots, 1/s',
  everyMs: 1_000,
  request: async ({ url, apiKey }) =>
    isSuccess(
      await send(url, {
        path: '/api/screenshot',
        from: FROM,
        headers: { 'Content-Type': JSON_TYPE, 'X-Api-Key': apiKey },
        body: JSON.stringify({ html: '<h1>Neighbour</h1>', width: 320, height: 200 }),
      }),
    ),
};

const createdAccount = z.object({ password: z.string() });
const EMAIL = 'neighbour@example.org';

/** Sign-ins with the right password, to an account that no attack uses. */
export const signIns: Neighbour = {
  name: 'sign-ins, 2/s',
  everyMs: 500,
  prepare: async (signpost) => {
    const created: unknown = JSON.parse(await signpost.run('account', 'create', '--email', EMAIL, '--json'));
    return { password: createdAccount.parse(created).password };
  },
  request: async ({ url }, { password = '' }) => {
    const { status } = await sendForm(url, '/signin', FROM, { email: EMAIL, password });
    return status === 303;
  },
};

/** The most requests of a neighbour that may be open at a time. */
const MAX_UNDER_WAY = 1_000;

/**
 * Sends a neighbour's requests for some seconds at a fixed rate. Does not wait for earlier responses unless
 * MAX_UNDER_WAY requests are open.
 */
export async function measureNeighbour(
  { everyMs, request }: Neighbour,
  signpost: SignpostProcess,
  facts: Facts,
  seconds: number,
): Promise<NeighbourFigures> {
  const timesMs: number[] = [];
  let failed = 0;
  const sendOne = async () => {
    const startedMs = performance.now();
    if (!(await request(signpost, facts))) failed += 1;
    timesMs.push(performance.now() - startedMs);
  };
  const underWay = new Set<Promise<void>>();
  const beganMs = performance.now();
  for (let sent = 0; sent * everyMs < seconds * 1_000; sent += 1) {
    await sleep(Math.max(0, beganMs + sent * everyMs - performance.now()));
    if (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay);
    const running = sendOne().finally(() => underWay.delete(running));
    underWay.add(running);
  }
  await Promise.all(underWay);
  return {
    sent: timesMs.length,
    failed,
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
  };
}
