import { createHash } from 'node:crypto';
import { OAUTH_SCOPE, type OAuthTokens } from '@signpost/contract';
import type { Actor } from '../audit/audit.js';
import type { KnownKey } from '../keys/key-finder.js';
import { keyIsLive } from '../storage/key-life.js';
import type { ConnectionRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { hashSecret, issueTokens, newFamily, parseRefreshToken } from './connection-secrets.js';
import { type ConnectionDeps, endConnection } from './connections.js';
import { OAuthError } from './oauth-error.js';
import { checkResource, parameter, type Parameters, requiredParameter, scopesOf } from './parameters.js';
import { checkRegistered } from './registered-clients.js';

export interface ConnectionTokensDeps extends ConnectionDeps {
  readonly db: Database;
  /** What tokens are for: the address of `/mcp`. */
  readonly resource: () => string;
}

const badCode = () =>
  new OAuthError(
    'invalid_grant',
    'The code is not valid: it is unknown, has ended, was used before, or belongs to another client_id, redirect_uri ' +
      'or code_verifier. Ask the person again.',
  );

const badRefreshToken = () =>
  new OAuthError(
    'invalid_grant',
    'The refresh token is not valid: it is unknown, was used before, belongs to another client_id, or its connection ' +
      'has ended. Ask the person again.',
  );

const connections = (db: Database) => db<ConnectionRow>('oauth_connections');

/** The connections whose key is live, though perhaps disabled for a while, and whose account is enabled. */
const working = (db: Database, resource: string, nowMs: number) =>
  db('oauth_connections as c')
    .join('api_keys as k', 'k.id', 'c.key_id')
    .join('projects as p', 'p.id', 'k.project_id')
    .join('accounts as a', 'a.id', 'p.account_id')
    .where({ 'c.resource': resource, 'a.disabled_at': null })
    .whereRaw(keyIsLive('k'), [nowMs]);

/** What a client shows beside its code. */
interface Redemption {
  readonly clientId: string;
  /** Left out by clients that go by OAuth 2.1, where PKCE does its work. */
  readonly redirectUri: string | undefined;
  readonly verifier: string;
}

const isOfCode = (row: ConnectionRow, { clientId, redirectUri, verifier }: Redemption) =>
  row.client_id === clientId &&
  (redirectUri === undefined || row.redirect_uri === redirectUri) &&
  row.code_challenge === createHash('sha256').update(verifier).digest('base64url');

/** Takes a code, which it is worth once, for the first who comes; ends the connection where anything is wrong with it. */
async function redeemCode(
  transaction: Database,
  deps: ConnectionTokensDeps,
  actor: Actor,
  codeHash: string,
  redemption: Redemption,
): Promise<OAuthTokens | undefined> {
  const nowMs = deps.clock();
  const [row]: ConnectionRow[] = await connections(transaction)
    .where({ code_hash: codeHash, redeemed_at: null })
    .where('expires_at', '>', nowMs)
    .update({ redeemed_at: nowMs })
    .returning('*');
  const isRight =
    row !== undefined &&
    isOfCode(row, redemption) &&
    (await working(transaction, deps.resource(), nowMs).where('c.id', row.id).first('c.id')) !== undefined;
  if (!isRight) {
    const reason = 'a code was used twice or wrongly';
    await endConnection(transaction, deps, actor, { code_hash: codeHash }, reason);
    return undefined;
  }
  const { columns, answer } = issueTokens(newFamily(deps.randomBytes), deps.randomBytes, nowMs);
  await connections(transaction).where({ id: row.id }).update(columns);
  return answer;
}

async function redeem(deps: ConnectionTokensDeps, actor: Actor, sent: Parameters): Promise<OAuthTokens> {
  const codeHash = hashSecret(requiredParameter(sent, 'code'));
  const redemption = {
    clientId: requiredParameter(sent, 'client_id'),
    redirectUri: parameter(sent, 'redirect_uri'),
    verifier: requiredParameter(sent, 'code_verifier'),
  };
  checkResource(sent, deps.resource());
  await checkRegistered(deps.db, redemption.clientId);
  const tokens = await deps.db.transaction((transaction) =>
    redeemCode(transaction, deps, actor, codeHash, redemption),
  );
  if (tokens === undefined) throw badCode();
  return tokens;
}

async function refresh(deps: ConnectionTokensDeps, actor: Actor, sent: Parameters): Promise<OAuthTokens> {
  const { db, clock, randomBytes, resource } = deps;
  const presented = parseRefreshToken(requiredParameter(sent, 'refresh_token'));
  const clientId = requiredParameter(sent, 'client_id');
  checkResource(sent, resource());
  if (scopesOf(sent).some((scope) => scope !== OAUTH_SCOPE))
    throw new OAuthError('invalid_scope', `The connection has the scope ${OAUTH_SCOPE} alone.`);
  await checkRegistered(db, clientId);
  if (presented === undefined) throw badRefreshToken();
  const nowMs = clock();
  const row = await working(db, resource(), nowMs)
    .where({ 'c.family_hash': hashSecret(presented.family), 'c.client_id': clientId })
    .where('c.expires_at', '>', nowMs)
    .first<Pick<ConnectionRow, 'id'> | undefined>('c.id');
  if (row === undefined) throw badRefreshToken();
  const { columns, answer } = issueTokens(presented.family, randomBytes, nowMs);
  // One statement, so that of two at once one alone finds its own in place.
  const renewed = await connections(db)
    .where({ id: row.id, refresh_hash: hashSecret(presented.turn) })
    .update(columns);
  if (renewed > 0) return answer;
  await db.transaction((transaction) =>
    endConnection(transaction, deps, actor, { id: row.id }, 'a refresh token was used twice'),
  );
  throw badRefreshToken();
}

/** Ends the connection with a token, where there is one and the client is its own (RFC 7009). */
async function revoke(deps: ConnectionTokensDeps, actor: Actor, sent: Parameters): Promise<void> {
  const token = requiredParameter(sent, 'token');
  const clientId = requiredParameter(sent, 'client_id');
  const refreshToken = parseRefreshToken(token);
  const which =
    refreshToken === undefined
      ? { access_hash: hashSecret(token) }
      : { family_hash: hashSecret(refreshToken.family) };
  const row = await connections(deps.db).where(which).first('client_id');
  if (row === undefined) return;
  if (row.client_id !== clientId)
    throw new OAuthError('invalid_client', 'The token belongs to another client_id.');
  await deps.db.transaction((transaction) =>
    endConnection(transaction, deps, actor, which, 'by the assistant'),
  );
}

/** The tokens of connections: made for a code, renewed by a refresh token, asked for at each request, and revoked. */
export const createConnectionTokens = (deps: ConnectionTokensDeps) => ({
  /** Answers tokens for a code or a refresh token; throws an OAuthError. */
  async issue(actor: Actor, sent: Parameters): Promise<OAuthTokens> {
    const grantType = requiredParameter(sent, 'grant_type');
    if (grantType === 'authorization_code') return redeem(deps, actor, sent);
    if (grantType === 'refresh_token') return refresh(deps, actor, sent);
    throw new OAuthError(
      'unsupported_grant_type',
      'This server has the grant types authorization_code and refresh_token alone.',
    );
  },

  /** The key of the connection with this access token; undefined where there is none that works. */
  verify: async (presented: string): Promise<KnownKey | undefined> =>
    working(deps.db, deps.resource(), deps.clock())
      .where('c.access_hash', hashSecret(presented))
      .where('c.access_expires_at', '>', deps.clock())
      .first<KnownKey | undefined>('k.id', 'p.account_id as accountId'),

  revoke: (actor: Actor, sent: Parameters): Promise<void> => revoke(deps, actor, sent),
});
