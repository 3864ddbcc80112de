import { OAUTH_SCOPE, type OAuthTokens } from '@signpost/contract';
import { z } from 'zod';
import type { ConnectionRow } from '../storage/oauth-rows.js';
import { seal, unseal } from '../secret/sealing.js';
import { hashToken } from '../platform/hash-token.js';
import { parseRefreshToken, type RefreshToken, successorKey } from './connection-secrets.js';
import {
  connections,
  GRACE_MS,
  newTokenPair,
  refreshColumns,
  replacedTokens,
  storeAccessToken,
  tokenResponse,
  workingConnections,
} from './connection-tokens.js';
import { endConnection } from './connections.js';
import type { ConnectionContext } from './context.js';
import { OAuthError } from './oauth-error.js';
import { checkResource, type Parameters, requiredParameter, scopesOf } from './parameters.js';
import { checkRegistered } from './registered-clients.js';

const successor = z.object({ accessToken: z.string(), turn: z.string() });

const invalidRefreshToken = () =>
  new OAuthError(
    'invalid_grant',
    'The refresh token is not valid: it is unknown, was used before, belongs to another client_id, or its connection ' +
      'has ended. Ask the person again.',
  );

/** Replaces the connection's current refresh token, and returns new tokens; undefined if the token is not current. */
async function replaceToken(
  context: ConnectionContext,
  connectionId: string,
  token: RefreshToken,
): Promise<OAuthTokens | undefined> {
  const { db, clock, randomBytes } = context;
  const nowMs = clock();
  const pair = newTokenPair(context);
  const hash = hashToken(token.turn);
  // The condition on the hash makes this atomic: of several concurrent uses on any servers, only one replaces the
  // token.
  const replaced = await connections(db)
    .where({ id: connectionId, refresh_hash: hash })
    .update(refreshColumns(pair, nowMs));
  if (replaced === 0) return undefined;
  await storeAccessToken(db, connectionId, pair, nowMs);
  await replacedTokens(db).insert({
    hash,
    connection_id: connectionId,
    replaced_at: nowMs,
    successor: seal(successorKey(token), Buffer.from(JSON.stringify(pair)), connectionId, randomBytes),
  });
  return tokenResponse(token.family, pair);
}

/**
 * Returns the tokens that replaced a refresh token, if its grace period is not over; otherwise undefined. Windows of
 * one assistant share their tokens, and a response may be lost, so using a token twice within seconds is no sign of
 * theft. The period begins with the replacement; further uses do not extend it.
 */
async function repeatReplacement(
  { db, clock }: ConnectionContext,
  connectionId: string,
  token: RefreshToken,
): Promise<OAuthTokens | undefined> {
  const nowMs = clock();
  const row = await replacedTokens(db)
    .where({ hash: hashToken(token.turn), connection_id: connectionId })
    .where('replaced_at', '>', nowMs - GRACE_MS)
    .first('replaced_at', 'successor');
  if (row === undefined) return undefined;
  const opened = unseal(successorKey(token), row.successor, connectionId);
  const pair = successor.parse(JSON.parse(opened.toString()));
  return tokenResponse(token.family, pair, Math.max(0, nowMs - row.replaced_at));
}

/**
 * Exchanges a refresh token for new tokens. Throws an OAuthError if that is not possible. If the token is an older one
 * of a working connection of the client, and its grace period is over, also ends the connection.
 */
export async function refreshConnection(
  context: ConnectionContext,
  parameters: Parameters,
): Promise<OAuthTokens> {
  const { db, clock, resource } = context;
  const token = parseRefreshToken(requiredParameter(parameters, 'refresh_token'));
  const clientId = requiredParameter(parameters, 'client_id');
  checkResource(parameters, resource());
  if (scopesOf(parameters).some((scope) => scope !== OAUTH_SCOPE))
    throw new OAuthError('invalid_scope', `The connection has only the scope ${OAUTH_SCOPE}.`);
  await checkRegistered(db, clientId);
  if (token === undefined) throw invalidRefreshToken();

  const nowMs = clock();
  const connection = await workingConnections(context, nowMs)
    .where({ 'c.family_hash': hashToken(token.family), 'c.client_id': clientId })
    .where('c.expires_at', '>', nowMs)
    .first<Pick<ConnectionRow, 'id'> | undefined>('c.id');
  if (connection === undefined) throw invalidRefreshToken();

  const tokens = await db.transaction(async (transaction) => {
    const inTransaction = { ...context, db: transaction };
    const issued =
      (await replaceToken(inTransaction, connection.id, token)) ??
      (await repeatReplacement(inTransaction, connection.id, token));
    if (issued === undefined)
      await endConnection(inTransaction, { id: connection.id }, 'a refresh token was used twice');
    return issued;
  });
  if (tokens === undefined) throw invalidRefreshToken();
  return tokens;
}
