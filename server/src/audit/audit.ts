import type { Knex } from 'knex';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { type RandomBytes, randomCharacters } from '../platform/random.js';
import { createTimeSortedIds } from '../platform/time-sorted-ids.js';
import type { AuditRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { AuditKind } from './kinds.js';

/** Who acts, how and from which address, for an audit entry. */
export interface Actor {
  /**
   * The account that acts, or whose key a program uses; null if unknown, and for the command line and the server
   * itself.
   */
  readonly accountId: string | null;
  /** The IP address; null for the command line, the server itself and a program with an API key. */
  readonly address: string | null;
  readonly via: 'console' | 'cli' | 'api' | 'server';
}

export const CLI_ACTOR: Actor = { accountId: null, address: null, via: 'cli' };
export const SERVER_ACTOR: Actor = { accountId: null, address: null, via: 'server' };

export interface AuditedAct {
  readonly kind: AuditKind;
  /** The account that was acted on. */
  readonly subjectId?: string | null | undefined;
  /** More about the act, such as the prefix of the key. Never a secret, an e-mail or a person's IP address. */
  readonly detail?: string | undefined;
}

export interface Audit {
  /**
   * Stores an audit entry. If `db` is the transaction of the change that the entry describes, neither is stored without
   * the other.
   */
  record(db: Database, actor: Actor, act: AuditedAct): Promise<void>;
  /**
   * Erases the IP addresses from the entries in which the account acted, and from those in which somebody unknown acted
   * on it, as in a failed sign-in.
   */
  eraseAddresses(transaction: Database, accountId: string): Promise<void>;
}

interface AuditDeps {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly log?: Pick<Log, 'info'>;
}

const RANDOM_DIGITS = 12;
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

const isTransaction = (db: Database): db is Knex.Transaction => db.isTransaction === true;

/**
 * Creates the writer of the audit log. If `log` is given, each entry is also logged once it is stored, without the
 * address, which could not be erased from the log.
 */
export function createAudit({ clock, randomBytes, log }: AuditDeps): Audit {
  const nextId = createTimeSortedIds(() => randomCharacters(randomBytes, DIGITS, RANDOM_DIGITS));

  const record: Audit['record'] = async (db, { accountId, address, via }, act) => {
    const { kind, subjectId = null, detail = null } = act;
    const at = clock();
    const entry = { kind, actor_id: accountId, subject_id: subjectId, via, address, detail };
    await db<AuditRow>('audit').insert({ id: nextId(at), at, ...entry });
    if (log === undefined) return;
    const committed = isTransaction(db) ? db.executionPromise : Promise.resolve();
    void committed.then(
      () => log.info({ kind, actor: accountId, subject: subjectId, via, detail }, 'Audit.'),
      () => undefined,
    );
  };

  return {
    record,
    async eraseAddresses(transaction, accountId) {
      await transaction<AuditRow>('audit')
        .whereNotNull('address')
        .where((entry) => {
          void entry
            .where({ actor_id: accountId })
            .orWhere((stranger) => void stranger.where({ subject_id: accountId }).whereNull('actor_id'));
        })
        .update({ address: null });
    },
  };
}
