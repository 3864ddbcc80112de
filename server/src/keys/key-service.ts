import type { Act, Actor, Audit } from '../audit/audit.js';
import type { Database, Transact } from '../storage/storage.js';
import {
  changeKey,
  checkEnd,
  checkNote,
  disableKey,
  enableKey,
  type KeyDetails,
  type NewLimits,
  revokeKey,
  setLimits,
} from './change-key.js';
import {
  type CappedKey,
  createCappedKey,
  createKey,
  type CreatedKey,
  type CreateKeyDeps,
} from './create-key.js';
import { findKeyOf, listKeysByProject, listLiveKeys, listWorkingKeys } from './find-keys.js';
import type { DisabledBy, Key } from './key.js';
import { type KeyPage, listKeyPage } from './list-keys.js';
import { replaceKey } from './replace-key.js';

interface KeyServiceDeps extends CreateKeyDeps {
  readonly db: Database;
  readonly audit: Audit;
  /** Returns a trimmed name. Throws a ServiceError if it is not a valid one. */
  readonly checkName: (subject: string, text: string) => string;
}

type OwnedKey = Pick<Key, 'id' | 'prefix' | 'accountId'>;

const isoTime = (timeMs: number | null) => (timeMs === null ? 'never' : new Date(timeMs).toISOString());

const orNull = (text: string | null | undefined, check: (text: string) => string) =>
  text === undefined || text === null ? text : text.trim() === '' ? null : check(text);

/** Validates the details of a key. Throws a ServiceError. */
const checkedBy =
  ({ checkName, clock }: Pick<KeyServiceDeps, 'checkName' | 'clock'>) =>
  <Wanted extends KeyDetails>(wanted: Wanted): Wanted => {
    if (wanted.endsAtMs !== undefined && wanted.endsAtMs !== null) checkEnd(wanted.endsAtMs, clock());
    return {
      ...wanted,
      name: orNull(wanted.name, (name) => checkName("The key's name", name)),
      note: orNull(wanted.note, checkNote),
    };
  };

/** Changes to active keys. The audit does not contain the name and the note, which are private to the owner. */
function createChanges({ db, clock, audit, ...deps }: KeyServiceDeps) {
  const checked = checkedBy({ ...deps, clock });
  const perform = (
    actor: Actor,
    kind: Act['kind'],
    { prefix, accountId: subjectId }: OwnedKey,
    work: (transaction: Database) => Promise<void>,
    more = '',
    transact?: Transact,
  ) => audit.perform(db, actor, work, { kind, subjectId, detail: prefix + more }, transact);

  return {
    /** Throws a ServiceError if the name, the note or the end date is not valid. */
    checkDetails: (details: KeyDetails) => void checked(details),
    change: async (actor: Actor, key: OwnedKey, wanted: KeyDetails) => {
      const details = checked(wanted);
      const end = details.endsAtMs === undefined ? '' : `, ends ${isoTime(details.endsAtMs)}`;
      const work = (transaction: Database) => changeKey(transaction, key.id, details, clock());
      await perform(actor, 'key.changed', key, work, end);
    },
    disable: (actor: Actor, key: OwnedKey, by: DisabledBy = 'owner') =>
      perform(actor, 'key.disabled', key, (transaction) => disableKey(transaction, key.id, by, clock())),
    enable: (actor: Actor, key: OwnedKey, by: DisabledBy = 'owner') =>
      perform(actor, 'key.enabled', key, (transaction) => enableKey(transaction, key.id, by, clock())),
    revoke: (actor: Actor, key: OwnedKey) =>
      perform(actor, 'key.revoked', key, (transaction) => revokeKey(transaction, key.id, clock())),
    setLimits: (actor: Actor, key: OwnedKey, { perMinute, perDay }: NewLimits, transact?: Transact) => {
      const limits = { perMinute, perDay };
      const work = (transaction: Database) => setLimits(transaction, key.id, limits);
      return perform(actor, 'key.limited', key, work, ` ${JSON.stringify(limits)}`, transact);
    },
  };
}

type Create = (transaction: Database, deps: CreateKeyDeps, wanted: CappedKey) => Promise<CreatedKey>;

/** The keys of accounts, for code that must not access the database. Changes are audited in the same transaction. */
export function createKeyService(deps: KeyServiceDeps) {
  const { db, clock, audit } = deps;
  const checked = checkedBy(deps);

  const adder = (create: Create) => (actor: Actor, wanted: CappedKey) =>
    audit.perform(
      db,
      actor,
      (transaction) => create(transaction, deps, checked(wanted)),
      ({ prefix: detail }) => ({ kind: 'key.created', subjectId: wanted.accountId, detail }),
    );

  const replacer = (create: Create) => (actor: Actor, old: Key, overlapMs: number) =>
    audit.perform(
      db,
      actor,
      (transaction) =>
        replaceKey(
          transaction,
          { old, overlapMs, create: (within, wanted) => create(within, deps, wanted) },
          clock(),
        ),
      ({ prefix }) => ({
        kind: 'key.replaced',
        subjectId: old.accountId,
        detail: `${old.prefix}, by ${prefix}`,
      }),
    );

  return {
    ...createChanges(deps),
    listLive: (accountId: string) => listLiveKeys(db, accountId, clock()),
    listWorking: (accountId: string) => listWorkingKeys(db, accountId, clock()),
    listByProject: (accountId: string) => listKeysByProject(db, accountId, clock()),
    /** One page of the keys of an account, or of all. */
    list: (page: KeyPage) => listKeyPage(db, page, clock()),
    find: (accountId: string, keyId: number) => findKeyOf(db, accountId, keyId, clock()),
    create: adder(createKey),
    createCapped: adder(createCappedKey),
    replace: replacer(createKey),
    replaceCapped: replacer(createCappedKey),
  };
}

export type KeyService = ReturnType<typeof createKeyService>;
