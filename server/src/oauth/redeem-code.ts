import { createHash } from 'node:crypto';
import type { OAuthTokens } from '@signpost/contract';
import type { ConnectionRow } from '../storage/oauth-rows.js';
import { hashToken } from '../platform/hash-token.js';
import { newFamily } from './connection-secrets.js';
import {
  connections,
  newTokenPair,
  refreshColumns,
  storeAccessToken,
  tokenResponse,
  workingConnections,
} from './connection-tokens.js';
import { endConnection } from './connections.js';
import type { ConnectionContext } from './context.js';
import { OAuthError } from './oauth-error.js';
import { checkResource, parameter, type Parameters, requiredParameter } from './parameters.js';
import { checkRegistered } from './registered-clients.js';

/** The parameters that a client sends with its code. */
interface Redemption {
  readonly clientId: string;
  /** Clients that follow OAuth 2.1 leave the redirect URI out and rely on PKCE instead. */
  readonly redirectUri: string | undefined;
  readonly verifier: string;
}

const matchesCode = (row: ConnectionRow, { clientId, redirectUri, verifier }: Redemption) =>
  row.client_id === clientId &&
  (redirectUri === undefined || row.redirect_uri === redirectUri) &&
  row.code_challenge === createHash('sha256').update(verifier).digest('base64url');

/**
 * Uses up a code and returns the first tokens of its connection. If a parameter does not match, if the code has expired
 * or was used before, or if its connection does not work, ends the connection and returns undefined.
 */
async function useCode(
  context: ConnectionContext,
  codeHash: string,
  redemption: Redemption,
): Promise<OAuthTokens | undefined> {
  const { db, clock, randomBytes } = context;
  const nowMs = clock();
  const [row]: ConnectionRow[] = await connections(db)
    .where({ code_hash: codeHash, redeemed_at: null })
    .where('expires_at', '>', nowMs)
    .update({ redeemed_at: nowMs })
    .returning('*');
  const isRight =
    row !== undefined &&
    matchesCode(row, redemption) &&
    (await workingConnections(context, nowMs).where('c.id', row.id).first('c.id')) !== undefined;
  if (!isRight) {
    await endConnection(context, { code_hash: codeHash }, 'a code was used twice or wrongly');
    return undefined;
  }
  const family = newFamily(randomBytes);
  const pair = newTokenPair(context);
  await connections(db)
    .where({ id: row.id })
    .update({ family_hash: hashToken(family), ...refreshColumns(pair, nowMs) });
  await storeAccessToken(db, row.id, pair, nowMs);
  return tokenResponse(family, pair);
}

/** Exchanges a code for the first tokens of its connection. Throws an OAuthError if that is not possible. */
export async function redeemCode(context: ConnectionContext, parameters: Parameters): Promise<OAuthTokens> {
  const codeHash = hashToken(requiredParameter(parameters, 'code'));
  const redemption = {
    clientId: requiredParameter(parameters, 'client_id'),
    redirectUri: parameter(parameters, 'redirect_uri'),
    verifier: requiredParameter(parameters, 'code_verifier'),
  };
  checkResource(parameters, context.resource());
  await checkRegistered(context.db, redemption.clientId);
  const tokens = await context.db.transaction((transaction) =>
    useCode({ ...context, db: transaction }, codeHash, redemption),
  );
  if (tokens !== undefined) return tokens;
  throw new OAuthError(
    'invalid_grant',
    'The code is not valid: it is unknown, has expired, was used before, or belongs to another client_id, ' +
      'redirect_uri or code_verifier. Ask the person again.',
  );
}
