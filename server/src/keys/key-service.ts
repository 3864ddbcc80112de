import type { Actor, Audit } from '../audit/audit.js';
import { type Limit, limitToColumn } from '../platform/limit.js';
import type { ApiKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import {
  type CappedKey,
  createCappedKey,
  createKey,
  type CreatedKey,
  type CreateKeyDeps,
  type NewKey,
} from './create-key.js';
import { findKeyOf, listKeysByProject, listLiveKeys } from './find-keys.js';
import type { Key } from './key.js';
import { type KeyPage, listKeyPage } from './list-keys.js';

/** Ends a key for good: its next request is refused on every server. The time of a first revocation stays. */
export async function revokeKey(db: Database, keyId: number, nowMs: number): Promise<void> {
  await db<ApiKeyRow>('api_keys').where({ id: keyId }).whereNull('revoked_at').update({ revoked_at: nowMs });
}

export interface NewLimits {
  readonly perMinute?: Limit | undefined;
  readonly perDay?: Limit | undefined;
}

/** Changes the limits that are given and leaves the others; holds from the key's next request on. */
export async function setLimits(
  db: Database,
  keyId: number,
  { perMinute, perDay }: NewLimits,
): Promise<void> {
  await db<ApiKeyRow>('api_keys')
    .where({ id: keyId })
    .update({
      ...(perMinute === undefined ? {} : { per_minute: limitToColumn(perMinute) }),
      ...(perDay === undefined ? {} : { per_day: limitToColumn(perDay) }),
    });
}

interface KeyServiceDeps extends CreateKeyDeps {
  readonly db: Database;
  readonly audit: Audit;
}

type OwnedKey = Pick<Key, 'id' | 'prefix' | 'accountId'>;

/** The keys of accounts for whoever must not see the database; what changes them is entered in the audit with it. */
export function createKeyService(deps: KeyServiceDeps) {
  const { db, clock, audit } = deps;

  const entry =
    ({ accountId: subjectId }: { readonly accountId: string }) =>
    ({ prefix }: Pick<CreatedKey, 'prefix'>) =>
      ({ kind: 'key.created', subjectId, detail: prefix }) as const;

  return {
    listLive: (accountId: string) => listLiveKeys(db, accountId),
    listByProject: (accountId: string) => listKeysByProject(db, accountId),
    /** One page of the keys of an account, or of all. */
    list: (page: KeyPage) => listKeyPage(db, page, clock()),
    find: (accountId: string, keyId: number) => findKeyOf(db, accountId, keyId),
    create: (actor: Actor, wanted: NewKey & { readonly accountId: string }) =>
      audit.perform(db, actor, (transaction) => createKey(transaction, deps, wanted), entry(wanted)),
    createCapped: (actor: Actor, wanted: CappedKey) =>
      audit.perform(db, actor, (transaction) => createCappedKey(transaction, deps, wanted), entry(wanted)),
    revoke: (actor: Actor, { id, prefix: detail, accountId: subjectId }: OwnedKey) =>
      audit.perform(db, actor, (transaction) => revokeKey(transaction, id, clock()), {
        kind: 'key.revoked',
        subjectId,
        detail,
      }),
    setLimits: (actor: Actor, { id, prefix, accountId: subjectId }: OwnedKey, limits: NewLimits) => {
      const { perMinute, perDay } = limits;
      const detail = `${prefix} ${JSON.stringify({ perMinute, perDay })}`;
      return audit.perform(db, actor, (transaction) => setLimits(transaction, id, limits), {
        kind: 'key.limited',
        subjectId,
        detail,
      });
    },
  };
}

export type KeyService = ReturnType<typeof createKeyService>;
