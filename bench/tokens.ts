import { operations, tokenPair } from '@signpost/contract';
import { z } from 'zod';
import { OPERATOR } from './bench-keys.js';
import { round, type Row } from './figures.js';
import { startFloor } from './floor.js';
import type { Load } from './load-figures.js';
import { CONNECTIONS } from './load.js';
import type { BenchOptions } from './options.js';
import type { SignpostProcess } from './signpost-process.js';
import { takeTurns } from './turns.js';

const shownPair = z.object({ refreshToken: z.string() });

async function answerTo({ url, method, headers, body }: Load): Promise<string> {
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

/**
 * The status of one access token, and refreshes with one refresh token, compared with a bare server that responds with
 * the same bytes.
 */
export async function benchTokens(signpost: SignpostProcess, options: BenchOptions): Promise<Row[]> {
  const shown: unknown = JSON.parse(await signpost.run('token', 'show', '--account', OPERATOR, '--json'));
  const refresh: Load = {
    url: signpost.url + operations.refreshToken.path,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refreshToken: shownPair.parse(shown).refreshToken }),
  };
  const { access_token: accessToken } = tokenPair.parse(JSON.parse(await answerTo(refresh)));
  const status: Load = {
    url: signpost.url + operations.getTokenStatus.path,
    method: 'GET',
    headers: { Authorization: `Bearer ${accessToken}` },
  };

  const rows: Row[] = [];
  for (const [name, load] of Object.entries({ status, refresh })) {
    const floor = await startFloor(signpost.dataDir, await answerTo(load));
    const [ours, bare] = await takeTurns([load, { ...load, url: floor.url }], options.seconds);
    floor.end();
    if (ours === undefined || bare === undefined) continue;
    rows.push({
      operation: name,
      connections: CONNECTIONS,
      'requests/s': round(ours.perSecond),
      'p50 ms': round(ours.p50Ms, 2),
      'p99 ms': round(ours.p99Ms, 2),
      'same bytes/s': round(bare.perSecond),
      'of same bytes': round(ours.perSecond / bare.perSecond, 2),
    });
  }
  return rows;
}
