import { LIMITS } from '@signpost/contract';
import type { DomainContext } from '../audit/domain-context.js';
import { opaqueTokenFormat } from '../platform/opaque-token.js';
import { BASE62, randomCharacters } from '../platform/random.js';
import type { Sort } from '../platform/sort.js';
import { SECOND_MS } from '../platform/time-units.js';
import { hashToken } from '../platform/hash-token.js';
import { keyIsLive } from '../storage/key-life.js';
import type { ConnectionRow } from '../storage/oauth-rows.js';
import type { ApiKeyRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { connections } from './connection-tokens.js';
import type { ConnectionContext } from './context.js';
import { markClientsUsed } from './registered-clients.js';

const ID_LENGTH = 20;
const codeFormat = opaqueTokenFormat('sp_code_');

/** A person's agreement to connect a client. */
export interface Consent {
  readonly accountId: string;
  /** A project of that account. */
  readonly projectId: string;
  readonly request: AuthorizationRequest;
}

/** Makes a connection with a key of its own. Returns the code that the client exchanges for tokens. */
export async function addConnection(
  { db, clock, randomBytes, createKey, resource, audit, actor }: ConnectionContext,
  { accountId, projectId, request }: Consent,
): Promise<string> {
  const { client, redirectUri, codeChallenge } = request;
  const code = codeFormat.generate(randomBytes);
  await inTransaction(db, async (transaction) => {
    const { id: keyId, prefix } = await createKey(transaction, { accountId, projectId });
    const nowMs = clock();
    await connections(transaction).insert({
      id: `con_${randomCharacters(randomBytes, BASE62, ID_LENGTH)}`,
      key_id: keyId,
      client_id: client.id,
      client_name: client.name,
      client_host: client.host,
      redirect_uri: redirectUri,
      resource: resource(),
      code_hash: hashToken(code),
      code_challenge: codeChallenge,
      redeemed_at: null,
      family_hash: null,
      refresh_hash: null,
      expires_at: nowMs + LIMITS.oauth.codeSeconds * SECOND_MS,
      created_at: nowMs,
    });
    await markClientsUsed(transaction, [client.id], nowMs);
    const detail = `${prefix}, ${new URL(redirectUri).host}`;
    await audit.record(transaction, actor, { kind: 'connection.made', subjectId: accountId, detail });
  });
  return code;
}

/** An assistant that works for an account, as its owner sees it. */
export interface Connection {
  readonly id: string;
  readonly clientName: string;
  readonly clientHost: string | null;
  readonly redirectUri: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly keyId: number;
  readonly keyPrefix: string;
  readonly createdAtMs: number;
  /** When the last request of the connection was counted; null if there was none. */
  readonly lastUsedAtMs: number | null;
}

/** The orders that a list of connections can have. The first is the default. */
export const CONNECTION_SORTS = [
  { by: 'made', isDescending: true },
  { by: 'name', isDescending: false },
  { by: 'project', isDescending: false },
  { by: 'used', isDescending: true },
] as const satisfies readonly Sort[];

export type ConnectionSort = Sort<(typeof CONNECTION_SORTS)[number]['by']>;

const SORTED_BY = {
  made: 'c.created_at',
  name: 'lower(c.client_name)',
  project: 'lower(p.name)',
  used: 'coalesce((SELECT max(last_at) FROM usage_days WHERE key_id = k.id), 0)',
} as const;

/**
 * The connections of an account that got tokens and have not expired, and whose key is neither revoked nor expired. By
 * default newest first.
 */
export async function listConnections(
  db: Database,
  accountId: string,
  nowMs: number,
  { by, isDescending }: ConnectionSort = CONNECTION_SORTS[0],
): Promise<Connection[]> {
  return db('oauth_connections as c')
    .join('api_keys as k', 'k.id', 'c.key_id')
    .join('projects as p', 'p.id', 'k.project_id')
    .where({ 'p.account_id': accountId })
    .whereRaw(keyIsLive('k'), [nowMs])
    .whereNotNull('c.family_hash')
    .where('c.expires_at', '>', nowMs)
    .orderByRaw(`${SORTED_BY[by]} ${isDescending ? 'DESC' : 'ASC'}, c.id`)
    .select<Connection[]>(
      'c.id',
      'c.client_name as clientName',
      'c.client_host as clientHost',
      'c.redirect_uri as redirectUri',
      'p.id as projectId',
      'p.name as projectName',
      'k.id as keyId',
      'k.prefix as keyPrefix',
      'c.created_at as createdAtMs',
      db.raw('(SELECT MAX(last_at) FROM usage_days WHERE key_id = k.id) AS "lastUsedAtMs"'),
    );
}

/** The dependencies for ending connections. */
export type EndingContext = Pick<DomainContext, 'db' | 'clock' | 'audit' | 'actor'>;

/** Why a connection ended, for the audit. */
type Reason =
  | 'by its owner'
  | 'by the assistant'
  | 'a code was used twice or wrongly'
  | 'a refresh token was used twice'
  | 'a code was not used'
  | 'not used any more';

/**
 * Ends a connection, if it exists: revokes its key and deletes its row with all its tokens. Its client counts as
 * used at this time. Call it in a transaction.
 */
export async function endConnection(
  { db, audit, actor, clock }: EndingContext,
  selector: Partial<Pick<ConnectionRow, 'id' | 'code_hash'>>,
  reason: Reason,
): Promise<void> {
  // Locks the row and reads it: on SQLite, `delete` of the query builder returns no rows.
  const [row] = await connections(db)
    .where(selector)
    .update({ expires_at: 0 })
    .returning(['key_id', 'client_id']);
  if (row === undefined) return;
  await connections(db).where({ key_id: row.key_id }).delete();
  const nowMs = clock();
  await markClientsUsed(db, [row.client_id], nowMs);
  // Revokes the key without an audit entry, because the entry about the connection names the key.
  await db<ApiKeyRow>('api_keys')
    .where({ id: row.key_id })
    .whereRaw(keyIsLive('api_keys'), [nowMs])
    .update({ revoked_at: nowMs });
  const key = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('api_keys.id', row.key_id)
    .first<{ readonly prefix: string; readonly subjectId: string }>(
      'api_keys.prefix',
      'projects.account_id as subjectId',
    );
  await audit.record(db, actor, {
    kind: 'connection.ended',
    subjectId: key.subjectId,
    detail: `${key.prefix}, ${reason}`,
  });
}

/**
 * Ends connections that have expired: they were not renewed for too long, or their code was not exchanged in time.
 * Removes connections whose key is revoked or expired, without an audit entry.
 */
export async function removeEndedConnections(context: EndingContext, nowMs: number): Promise<void> {
  const { db } = context;
  const endedKeys = db('api_keys').whereRaw(`NOT (${keyIsLive('api_keys')})`, [nowMs]);
  const ofEndedKeys = connections(db).whereIn('key_id', endedKeys.select('id'));
  await markClientsUsed(db, await ofEndedKeys.clone().pluck('client_id'), nowMs);
  await ofEndedKeys.delete();
  const expired = await connections(db).where('expires_at', '<=', nowMs).select('id', 'redeemed_at');
  for (const { id, redeemed_at: redeemedAt } of expired) {
    const reason = redeemedAt === null ? 'a code was not used' : 'not used any more';
    await db.transaction((transaction) => endConnection({ ...context, db: transaction }, { id }, reason));
  }
}
