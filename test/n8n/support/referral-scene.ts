import { z } from 'zod';
import { startConsoleApp, type ConsoleApp } from '../../fixtures/console-app.js';
import { createRefreshToken, referralCredential } from './keys.js';
import { openN8n, type N8n } from './n8n.js';

const MINUTE_MS = 60_000;
/** Longer than an access token lives. */
export const PAST_ITS_END_MS = 181 * MINUTE_MS;
/** The age of a token that expires in half a minute. */
const ALMOST_A_LIFETIME_MS = 179.5 * MINUTE_MS;

/** The expiry that n8n has stored for a token that the server no longer accepts. */
const FAR_AHEAD = '2100-01-01T00:00:00.000Z';

const pair = z.object({ access_token: z.string(), valid_to: z.iso.datetime() });

/** The names of the credentials with a valid refresh token or access token, each of its own account. */
export type Name = 'fresh' | 'expired' | 'together' | 'ending' | 'pasted';

export interface ReferralScene {
  readonly server: ConsoleApp;
  readonly n8n: N8n;
  /** How many requests of an operation the server has answered with this status. */
  answered(operation: string, status: number): Promise<number>;
  close(): Promise<void>;
}

export const emailOf = (name: Name) => `${name}@example.com`;

async function issue(url: string, refreshToken: string) {
  const response = await fetch(`${url}/api/token/refresh`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refreshToken }),
  });
  const { access_token: accessToken, valid_to: validTo } = pair.parse(await response.json());
  return { accessToken, validTo, tokenOwner: `${url} ${refreshToken}` };
}

/**
 * Starts a server whose clock the test moves, and an n8n with these credentials: "fresh" has only a refresh token,
 * "pasted" only an access token, and "wrong" a refresh token that does not exist. "expired", "together" and "ending"
 * have both tokens, as n8n would have stored them. For the server, the access tokens of "expired" and "together" have
 * expired; that of "ending" has half a minute left.
 */
export async function startReferralScene(): Promise<ReferralScene> {
  const server = await startConsoleApp();
  const { url, dataDir } = server;
  const newToken = (name: Name) => createRefreshToken(dataDir, emailOf(name));
  const soon = new Date(Date.now() + MINUTE_MS / 2).toISOString();

  /** Makes a credential whose access token was issued this long ago by the server's clock. */
  const withToken = async (name: Name, agoMs: number, more: Readonly<Record<string, string>> = {}) => {
    const refreshToken = await newToken(name);
    server.pass(-agoMs);
    const issued = await issue(url, refreshToken);
    server.pass(agoMs);
    return referralCredential(name, url, { refreshToken, ...issued, ...more });
  };
  const pasted = await withToken('pasted', 0);
  const n8n = await openN8n([
    referralCredential('fresh', url, { refreshToken: await newToken('fresh') }),
    await withToken('expired', PAST_ITS_END_MS, { validTo: FAR_AHEAD }),
    await withToken('together', PAST_ITS_END_MS, { validTo: FAR_AHEAD }),
    await withToken('ending', ALMOST_A_LIFETIME_MS, { validTo: soon }),
    referralCredential('pasted', url, {
      connectWith: 'accessToken',
      pastedAccessToken: String(pasted.data.accessToken),
    }),
    referralCredential('wrong', url, { refreshToken: 'nonsense' }),
  ]);
  return {
    server,
    n8n,
    async answered(operation, status) {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const name = `signpost_request_duration_seconds_count{operation="${operation}",status="${status}"} `;
      const line = metrics.split('\n').find((one) => one.startsWith(name));
      return Number(line?.slice(name.length) ?? 0);
    },
    close: async () => {
      await n8n.close();
      await server.close();
    },
  };
}
