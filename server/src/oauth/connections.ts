import { LIMITS } from '@signpost/contract';
import type { Actor, Audit } from '../audit/audit.js';
import type { Clock } from '../platform/clock.js';
import { opaqueTokenFormat } from '../platform/opaque-token.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import type { Sort } from '../platform/sort.js';
import { keyIsLive } from '../storage/key-life.js';
import type { ConnectionRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { hashSecret } from './connection-secrets.js';
import { noteUse } from './registered-clients.js';

const ID_LENGTH = 20;
const SECOND_MS = 1_000;
const codeFormat = opaqueTokenFormat('sp_code_');

export interface ConnectionDeps {
  readonly audit: Audit;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** Makes a key in a project of the account, where the account may have one more; throws a ServiceError. */
  readonly createKey: (
    transaction: Database,
    wanted: { readonly accountId: string; readonly projectId: string },
  ) => Promise<{ readonly id: number; readonly prefix: string }>;
  readonly revokeKey: (transaction: Database, keyId: number) => Promise<void>;
}

/** What somebody agreed to. */
export interface Consent {
  readonly accountId: string;
  /** A project of that account. */
  readonly projectId: string;
  readonly request: AuthorizationRequest;
  readonly resource: string;
}

/** Makes the connection and its key; the code that is answered turns it into tokens. In a transaction. */
export async function addConnection(
  transaction: Database,
  deps: ConnectionDeps,
  { accountId, projectId, request, resource }: Consent,
) {
  const { client, redirectUri, codeChallenge } = request;
  const { id: keyId, prefix } = await deps.createKey(transaction, { accountId, projectId });
  const nowMs = deps.clock();
  const code = codeFormat.generate(deps.randomBytes);
  await transaction<ConnectionRow>('oauth_connections').insert({
    id: `con_${randomCharacters(deps.randomBytes, BASE62, ID_LENGTH)}`,
    key_id: keyId,
    client_id: client.id,
    client_name: client.name,
    client_host: client.host,
    redirect_uri: redirectUri,
    resource,
    code_hash: hashSecret(code),
    code_challenge: codeChallenge,
    redeemed_at: null,
    access_hash: null,
    access_expires_at: null,
    family_hash: null,
    refresh_hash: null,
    expires_at: nowMs + LIMITS.oauth.codeSeconds * SECOND_MS,
    created_at: nowMs,
  });
  await noteUse(transaction, [client.id], nowMs);
  return { code, prefix };
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
  /** When its last request was counted; null where there was none. */
  readonly lastUsedAtMs: number | null;
}

/** What a list of connections can be sorted by; first the order that it has by itself. */
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

/** The connections of an account that work still, the newest first where no other order is asked for. */
export async function listConnections(
  db: Database,
  accountId: string,
  nowMs: number,
  { by, isDescending }: ConnectionSort = CONNECTION_SORTS[0],
): Promise<Connection[]> {
  const rows = await db('oauth_connections as c')
    .join('api_keys as k', 'k.id', 'c.key_id')
    .join('projects as p', 'p.id', 'k.project_id')
    .where({ 'p.account_id': accountId })
    .whereRaw(keyIsLive('k'), [nowMs])
    .whereNotNull('c.family_hash')
    .where('c.expires_at', '>', nowMs)
    .orderByRaw(`${SORTED_BY[by]} ${isDescending ? 'DESC' : 'ASC'}, c.id`)
    .select<(Omit<Connection, 'lastUsedAtMs'> & { readonly lastUsedAt: number | string | null })[]>(
      'c.id',
      'c.client_name as clientName',
      'c.client_host as clientHost',
      'c.redirect_uri as redirectUri',
      'p.id as projectId',
      'p.name as projectName',
      'k.id as keyId',
      'k.prefix as keyPrefix',
      'c.created_at as createdAtMs',
      db('usage_days').where('key_id', db.ref('k.id')).max('last_at').as('lastUsedAt'),
    );
  return rows.map(({ lastUsedAt, ...row }) => ({
    ...row,
    lastUsedAtMs: lastUsedAt === null ? null : Number(lastUsedAt),
  }));
}

/** Why a connection ends, as the audit says. */
type Reason =
  | 'by its owner'
  | 'by the assistant'
  | 'a code was used twice or wrongly'
  | 'a refresh token was used twice'
  | 'a code was not used'
  | 'not used any more';

type Which = Partial<Pick<ConnectionRow, 'id' | 'code_hash' | 'family_hash' | 'access_hash'>>;

type EndingDeps = Pick<ConnectionDeps, 'revokeKey' | 'audit' | 'clock'>;

/**
 * Ends the one connection that is meant, where there is one: its key is revoked and its row is gone. Its client was in
 * use until now. In a transaction.
 */
export async function endConnection(
  transaction: Database,
  { revokeKey, audit, clock }: EndingDeps,
  actor: Actor,
  which: Which,
  reason: Reason,
): Promise<void> {
  const connections = () => transaction<ConnectionRow>('oauth_connections');
  // A deletion does not tell on SQLite what it deleted; this holds the row until then.
  const [row] = await connections().where(which).update({ expires_at: 0 }).returning(['key_id', 'client_id']);
  if (row === undefined) return;
  await connections().where({ key_id: row.key_id }).delete();
  await noteUse(transaction, [row.client_id], clock());
  await revokeKey(transaction, row.key_id);
  const key = await transaction('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('api_keys.id', row.key_id)
    .first<{ readonly prefix: string; readonly subjectId: string }>(
      'api_keys.prefix',
      'projects.account_id as subjectId',
    );
  await audit.record(transaction, actor, {
    kind: 'connection.ended',
    subjectId: key.subjectId,
    detail: `${key.prefix}, ${reason}`,
  });
}

/** Ends what was not used for its time, or whose code nobody redeemed, and forgets what ended with its key. */
export async function removeEndedConnections(
  db: Database,
  deps: EndingDeps,
  actor: Actor,
  nowMs: number,
): Promise<void> {
  const connections = () => db<ConnectionRow>('oauth_connections');
  const keys = db('api_keys').whereRaw(`NOT (${keyIsLive('api_keys')})`, [nowMs]);
  const over = connections().whereIn('key_id', keys.select('id'));
  await noteUse(db, await over.clone().pluck('client_id'), nowMs);
  await over.delete();
  const ended = await connections().where('expires_at', '<=', nowMs).select('id', 'redeemed_at');
  for (const { id, redeemed_at: redeemedAt } of ended) {
    const reason = redeemedAt === null ? 'a code was not used' : 'not used any more';
    await db.transaction((transaction) => endConnection(transaction, deps, actor, { id }, reason));
  }
}
