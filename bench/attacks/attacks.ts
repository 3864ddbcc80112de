import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { round, type Row } from '../figures.js';
import type { BenchOptions } from '../options.js';
import { showProgress } from '../progress.js';
import { startSignpost, type SignpostProcess } from '../signpost-process.js';
import type { Attack } from './attack.js';
import { ATTACKS } from './list.js';
import { type Facts, type NeighbourFigures, measureNeighbour } from './neighbours.js';

/** How long an attack runs before its effect is measured. */
const HEAD_START_MS = 500;

/**
 * The server takes a sender's address from X-Forwarded-For, so attacks and neighbours can have different addresses.
 * Strangers may sign up.
 */
const VARIABLES = { SIGNPOST_TRUST_PROXY: '127.0.0.1/32', SIGNPOST_SIGNUP: 'open' };

async function whileAttacked(
  { name, neighbour }: Attack,
  target: { readonly url: string; readonly facts: Facts },
  measure: () => Promise<NeighbourFigures>,
): Promise<NeighbourFigures> {
  const attacker = new Worker(join(import.meta.dirname, 'attacker.js'), {
    workerData: { ...target, name, neighbour: neighbour.name },
  });
  await once(attacker, 'message');
  await sleep(HEAD_START_MS);
  try {
    return await measure();
  } finally {
    await attacker.terminate();
  }
}

const WARM_UP_SECONDS = 2;

async function measureAttack(attack: Attack, signpost: SignpostProcess, seconds: number): Promise<Row> {
  const { neighbour } = attack;
  const neighbourFacts = (await neighbour.prepare?.(signpost)) ?? {};
  const facts = (await attack.prepare?.(signpost)) ?? {};
  const measure = () => measureNeighbour(neighbour, signpost, neighbourFacts, seconds);
  await measureNeighbour(neighbour, signpost, neighbourFacts, WARM_UP_SECONDS);
  // Measured before the attack, because effects that outlast the attack would distort these figures.
  const without = await measure();
  const during = await whileAttacked(attack, { url: signpost.url, facts }, measure);
  return {
    attack: attack.name,
    neighbour: neighbour.name,
    'p50 ms alone': round(without.p50Ms, 1),
    'p99 ms alone': round(without.p99Ms, 1),
    'p50 ms attacked': round(during.p50Ms, 1),
    'p99 ms attacked': round(during.p99Ms, 1),
    'failed alone': `${without.failed} of ${without.sent}`,
    'failed attacked': `${during.failed} of ${during.sent}`,
  };
}

/**
 * Measures how attacks affect their neighbours, each on a fresh server: those whose name contains `attacks`, or all if
 * it is unset.
 */
export async function benchAttacks({ seconds, attacks }: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const attack of ATTACKS.filter(({ name }) => attacks === undefined || name.includes(attacks))) {
    showProgress(`attacks: ${attack.name}`);
    const signpost = await startSignpost({ variables: { ...VARIABLES, ...attack.variables } });
    rows.push(await measureAttack(attack, signpost, seconds));
    await signpost.end();
  }
  return rows;
}
