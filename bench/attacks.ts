import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { AttackData } from './attack-data.js';
import { onEnd } from './endings.js';
import { ratio, round, type Row } from './figures.js';
import type { Load } from './load-figures.js';
import { measureLoad } from './load.js';
import type { BenchOptions } from './options.js';
import { showProgress } from './progress.js';
import { startSignpost, type SignpostProcess } from './signpost-process.js';

const CONNECTIONS = 8;
const TURNS = 4;
const CAPTURES_AT_ONCE = 10;
const SENDERS = 2;
/** About ten times what a busy installation asks; far below what the server could answer. */
const STEADY_RATE_PER_SECOND = 300;
const SIGN_UPS_AT_ONCE = 90;
const JSON_TYPE = 'application/json';

interface Attack {
  readonly name: string;
  readonly data: AttackData;
}

const shownKey = z.object({ key: z.string() });

/** Two keys with the default limits, of an account that owns nothing else. */
async function keysOfStranger(signpost: SignpostProcess): Promise<string[]> {
  const [email, project] = ['stranger@example.org', 'Attack'];
  await signpost.run('account', 'create', '--email', email);
  await signpost.run('project', 'create', '--account', email, '--name', project);
  const keys: string[] = [];
  while (keys.length < 2) {
    const limits = ['--per-minute', '5', '--per-day', '20'];
    const shown: unknown = JSON.parse(
      await signpost.run('key', 'create', '--account', email, '--project', project, ...limits, '--json'),
    );
    keys.push(shownKey.parse(shown).key);
  }
  return keys;
}

/** A page whose script never ends. */
async function serveEndlessPage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end('<!doctype html><title>Endless</title><script>while (true);</script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`;
}

let waves = 0;

async function whileAttacked<Result>({ data }: Attack, measure: () => Promise<Result>): Promise<Result> {
  waves += 1;
  // Each wave of sign-ups comes from an address that made none before.
  const workerData = data.kind === 'signUps' ? { ...data, wave: waves } : data;
  const attacker = new Worker(join(import.meta.dirname, 'attacker.js'), { workerData });
  await once(attacker, 'message');
  const result = await measure();
  await attacker.terminate();
  return result;
}

async function measureAttack(
  attack: Attack,
  load: Load,
  { seconds, elsewhere }: { readonly seconds: number; readonly elsewhere: string },
): Promise<Row> {
  const measure = (one: Load) => measureLoad(one, CONNECTIONS, seconds / TURNS);
  const steady = { ...load, ratePerSecond: STEADY_RATE_PER_SECOND };
  const attackElsewhere = { ...attack, data: { ...attack.data, url: elsewhere } };
  const sums = { steadyAlone: 0, steadyAttacked: 0, steadyP99Ms: 0, alone: 0, elsewhere: 0, attacked: 0 };
  for (let turn = 0; turn < TURNS; turn += 1) {
    sums.steadyAlone += (await measure(steady)).perSecond / TURNS;
    const steadyAttacked = await whileAttacked(attack, () => measure(steady));
    sums.steadyAttacked += steadyAttacked.perSecond / TURNS;
    sums.steadyP99Ms = Math.max(sums.steadyP99Ms, steadyAttacked.p99Ms);
    sums.alone += (await measure(load)).perSecond / TURNS;
    sums.elsewhere += (await whileAttacked(attackElsewhere, () => measure(load))).perSecond / TURNS;
    sums.attacked += (await whileAttacked(attack, () => measure(load))).perSecond / TURNS;
  }
  return {
    attack: attack.name,
    'steady/s alone': round(sums.steadyAlone),
    'steady/s attacked': round(sums.steadyAttacked),
    'of steady': ratio(sums.steadyAttacked, sums.steadyAlone),
    'steady p99 ms': round(sums.steadyP99Ms, 2),
    'most/s alone': round(sums.alone),
    'attack elsewhere': round(sums.elsewhere),
    'most/s attacked': round(sums.attacked),
    'of most': ratio(sums.attacked, sums.alone),
    'of elsewhere': ratio(sums.attacked, sums.elsewhere),
  };
}

/** Lookups by a key of one account while another account, or nobody in particular, attacks. */
export async function benchAttacks({ seconds }: BenchOptions): Promise<Row[]> {
  const settings = { variables: { SIGNPOST_TRUST_PROXY: '127.0.0.1/32', SIGNPOST_SIGNUP: 'open' } };
  const signpost = await startSignpost(settings);
  // What the attack's own work costs the machine, whoever is attacked.
  const other = await startSignpost(settings);
  const { url } = signpost;
  const bodies = (path: string, bytes: number): Attack => ({
    name: `${SENDERS} senders of ${round(bytes / 1_000)} kB to ${path}`,
    data: { kind: 'bodies', url, count: SENDERS, path, bytes },
  });
  const keys = await keysOfStranger(signpost);
  const pageUrl = await serveEndlessPage();
  const attacks: readonly Attack[] = [
    {
      name: `${CAPTURES_AT_ONCE} captures of a page that never ends, by ${keys.length} keys`,
      data: { kind: 'captures', url, count: CAPTURES_AT_ONCE, keys, pageUrl },
    },
    bodies('/api/token/refresh', 65_536),
    bodies('/api/token/refresh', 979_000),
    bodies('/signin', 65_536),
    bodies('/mcp', 65_536),
    {
      name: `${SIGN_UPS_AT_ONCE} sign-ups at once`,
      data: { kind: 'signUps', url, count: SIGN_UPS_AT_ONCE, wave: 0 },
    },
  ];
  const load: Load = {
    url: `${signpost.url}/api/postcode/lookup`,
    method: 'POST',
    headers: { 'Content-Type': JSON_TYPE, 'X-Api-Key': signpost.apiKey },
    body: '{"postcode":"SW1A 1AA"}',
  };
  const rows: Row[] = [];
  for (const attack of attacks) {
    showProgress(`attacks: ${attack.name}`);
    rows.push(await measureAttack(attack, load, { seconds, elsewhere: other.url }));
  }
  await Promise.all([signpost.end(), other.end()]);
  return rows;
}
