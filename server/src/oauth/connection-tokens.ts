import { LIMITS, OAUTH_SCOPE, type OAuthTokens } from '@signpost/contract';
import { DAY_MS, SECOND_MS } from '../platform/time-units.js';
import { hashToken } from '../platform/hash-token.js';
import type { KnownKey } from '../keys/key-finder.js';
import { keyIsLive } from '../storage/key-life.js';
import type { ConnectionAccessTokenRow, ConnectionRow, ReplacedTokenRow } from '../storage/oauth-rows.js';
import type { Database } from '../storage/storage.js';
import { newAccessToken, newTurn } from './connection-secrets.js';
import type { ConnectionContext } from './context.js';

const { accessTokenSeconds, refreshGraceSeconds, unusedDays } = LIMITS.oauth;

/** How long the client can still get the new tokens with the refresh token that they replaced. */
export const GRACE_MS = refreshGraceSeconds * SECOND_MS;

/**
 * How many access tokens, and how many replaced refresh tokens, are kept for a connection at most. A client may refresh
 * in a loop.
 */
const MAX_TOKENS_PER_CONNECTION = 100;

/** How many expired rows are removed at a time, so that other writes do not wait long. */
const REMOVED_AT_ONCE = 1_000;

export const connections = (db: Database) => db<ConnectionRow>('oauth_connections');
export const accessTokens = (db: Database) => db<ConnectionAccessTokenRow>('oauth_access_tokens');
export const replacedTokens = (db: Database) => db<ReplacedTokenRow>('oauth_replaced_tokens');

/** Selects this server's connections whose account is enabled and whose key is neither revoked nor expired. */
export const workingConnections = (
  { db, resource }: Pick<ConnectionContext, 'db' | 'resource'>,
  nowMs: number,
) =>
  db('oauth_connections as c')
    .join('api_keys as k', 'k.id', 'c.key_id')
    .join('projects as p', 'p.id', 'k.project_id')
    .join('accounts as a', 'a.id', 'p.account_id')
    .where({ 'c.resource': resource(), 'a.disabled_at': null })
    .whereRaw(keyIsLive('k'), [nowMs]);

/** The key of the connection that an access token belongs to; undefined if the token does not work. */
export async function verifyAccessToken(
  context: Pick<ConnectionContext, 'db' | 'clock' | 'resource'>,
  accessToken: string,
): Promise<KnownKey | undefined> {
  const nowMs = context.clock();
  return workingConnections(context, nowMs)
    .join('oauth_access_tokens as t', 't.connection_id', 'c.id')
    .where('t.hash', hashToken(accessToken))
    .where('t.expires_at', '>', nowMs)
    .first<KnownKey | undefined>('k.id', 'p.account_id as accountId');
}

/** An access token, and the `turn` of the refresh token that is issued with it. */
export interface TokenPair {
  readonly accessToken: string;
  readonly turn: string;
}

export const newTokenPair = ({ randomBytes }: Pick<ConnectionContext, 'randomBytes'>): TokenPair => ({
  accessToken: newAccessToken(randomBytes),
  turn: newTurn(randomBytes),
});

/**
 * The columns of a connection that make the pair's refresh token its current one, and let the connection expire
 * `unusedDays` from now.
 */
export const refreshColumns = ({ turn }: TokenPair, nowMs: number) => ({
  refresh_hash: hashToken(turn),
  expires_at: nowMs + unusedDays * DAY_MS,
});

/** Removes old tokens of the connection, then lets the pair's access token work from now on. */
export async function storeAccessToken(
  transaction: Database,
  connectionId: string,
  { accessToken }: TokenPair,
  nowMs: number,
): Promise<void> {
  await removeOldTokens(transaction, connectionId, nowMs);
  await accessTokens(transaction).insert({
    hash: hashToken(accessToken),
    connection_id: connectionId,
    expires_at: nowMs + accessTokenSeconds * SECOND_MS,
  });
}

/** Removes a connection's expired tokens, and its oldest ones if there are too many. */
async function removeOldTokens(transaction: Database, connectionId: string, nowMs: number): Promise<void> {
  const ofConnection = { connection_id: connectionId };
  const newest = MAX_TOKENS_PER_CONNECTION - 1;
  const keptAccess = accessTokens(transaction)
    .where(ofConnection)
    .where('expires_at', '>', nowMs)
    .orderBy('expires_at', 'desc')
    .limit(newest);
  await accessTokens(transaction).where(ofConnection).whereNotIn('hash', keptAccess.select('hash')).delete();
  const keptReplaced = replacedTokens(transaction)
    .where(ofConnection)
    .where('replaced_at', '>', nowMs - GRACE_MS)
    .orderBy('replaced_at', 'desc')
    .limit(newest);
  await replacedTokens(transaction)
    .where(ofConnection)
    .whereNotIn('hash', keptReplaced.select('hash'))
    .delete();
}

/** The response of the token endpoint for a pair of tokens that was made `ageMs` ago. */
export const tokenResponse = (family: string, { accessToken, turn }: TokenPair, ageMs = 0): OAuthTokens => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: accessTokenSeconds - Math.ceil(ageMs / SECOND_MS),
  refresh_token: `${family}.${turn}`,
  scope: OAUTH_SCOPE,
});

async function removeExpired(db: Database, table: string, timeColumn: string, untilMs: number) {
  for (;;) {
    const expired = db(table).where(timeColumn, '<=', untilMs).limit(REMOVED_AT_ONCE).select('hash');
    const removed = await db(table).whereIn('hash', expired).delete();
    if (removed < REMOVED_AT_ONCE) return;
  }
}

/** Removes expired access tokens, and replaced refresh tokens whose grace period is over. */
export async function removeExpiredTokens(db: Database, nowMs: number): Promise<void> {
  await removeExpired(db, 'oauth_access_tokens', 'expires_at', nowMs);
  await removeExpired(db, 'oauth_replaced_tokens', 'replaced_at', nowMs - GRACE_MS);
}
