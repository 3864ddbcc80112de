import { hashToken } from '../platform/hash-token.js';
import { parseRefreshToken } from './connection-secrets.js';
import { connections } from './connection-tokens.js';
import { endConnection } from './connections.js';
import type { ConnectionContext } from './context.js';
import { OAuthError } from './oauth-error.js';
import { type Parameters, requiredParameter } from './parameters.js';

/**
 * Ends the connection that a token belongs to (RFC 7009). Does nothing for an unknown token. Throws an OAuthError if
 * the token belongs to another client, or if a parameter is missing or not valid.
 */
export async function revokeToken(context: ConnectionContext, parameters: Parameters): Promise<void> {
  const token = requiredParameter(parameters, 'token');
  const clientId = requiredParameter(parameters, 'client_id');
  const refreshToken = parseRefreshToken(token);
  const matches =
    refreshToken === undefined
      ? connections(context.db).whereIn(
          'id',
          context
            .db('oauth_access_tokens')
            .where({ hash: hashToken(token) })
            .select('connection_id'),
        )
      : connections(context.db).where({ family_hash: hashToken(refreshToken.family) });
  const connection = await matches.first('id', 'client_id');
  if (connection === undefined) return;
  if (connection.client_id !== clientId)
    throw new OAuthError('invalid_client', 'The token belongs to another client_id.');
  await context.db.transaction((transaction) =>
    endConnection({ ...context, db: transaction }, { id: connection.id }, 'by the assistant'),
  );
}
