import { usageStatistics } from '@signpost/contract';
import type { SignpostServer } from '../../fixtures/signpost-server.js';

/** A caller's own count of the requests made with one key. */
export interface Ledger {
  readonly apiKey: string;
  sent: number;
  /** Requests answered with 200. All of them must stay in the usage. */
  acknowledged: number;
}

/** Creates keys in the server's first project, each with an empty ledger. */
export async function openLedgers(server: SignpostServer, count: number): Promise<readonly Ledger[]> {
  const ledgers: Ledger[] = [];
  for (let made = 0; made < count; made += 1) {
    const created = await server.run(
      ...['key', 'create', '--account', 'operator@localhost', '--project', 'First project'],
    );
    const apiKey = /sp_live_\w{38}/u.exec(created.stdout)?.[0];
    if (apiKey === undefined) throw new Error(`No key was made: ${created.stderr}`);
    ledgers.push({ apiKey, sent: 0, acknowledged: 0 });
  }
  return ledgers;
}

/** Sends a request, and records it and its response. Returns undefined if the connection ended without a response. */
export async function enter(ledger: Ledger, request: () => Promise<Response>): Promise<Response | undefined> {
  ledger.sent += 1;
  const answer = await request().catch(() => undefined);
  if (answer?.status === 200) ledger.acknowledged += 1;
  return answer;
}

/**
 * Looks up a postcode. Returns status and body, or undefined if the connection ended before the response was complete.
 */
export async function lookUp(server: SignpostServer, ledger: Ledger) {
  const answer = await enter(ledger, () =>
    server.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' }, ledger.apiKey),
  );
  const body = await answer?.text().catch(() => undefined);
  return answer === undefined || body === undefined ? undefined : { answer, body };
}

/** Looks up postcodes, one after the other, until the connection ends or it is told to stop. */
export async function keepLookingUp(
  server: SignpostServer,
  ledger: Ledger,
  isOver: () => boolean = () => false,
): Promise<void> {
  while (!isOver() && (await lookUp(server, ledger)) !== undefined);
}

/** The number of requests that the server has counted for the key, including the one that this function sends. */
export async function countedFor(server: SignpostServer, ledger: Ledger): Promise<number> {
  const answer = await enter(ledger, () => server.get('/api/usage', ledger.apiKey));
  return usageStatistics.parse(await answer?.json()).totalRequests;
}
