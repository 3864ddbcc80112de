import type { DomainContext, ReadContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { hashToken } from '../platform/hash-token.js';
import { HOUR_MS } from '../platform/time-units.js';
import type { OneTimeLinkRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/u;

/**
 * How long a link works. An invitation may be read only days later, but a password reset is awaited.
 */
const LIFETIME_MS = { invitation: 7 * 24 * HOUR_MS, reset: HOUR_MS } as const;

export type LinkKind = keyof typeof LIFETIME_MS;

const isLinkKind = (text: string): text is LinkKind => Object.hasOwn(LIFETIME_MS, text);

/** A new link. Only a hash of its token is stored. */
export interface OneTimeLink {
  readonly kind: LinkKind;
  readonly token: string;
  readonly expiresAtMs: number;
}

/** The path of a link on the server's public address. */
export const linkPath = ({ token }: Pick<OneTimeLink, 'token'>): string => `/link/${token}`;

const links = (db: Database) => db<OneTimeLinkRow>('one_time_links');

/** Makes a link for an account, and invalidates its previous one. */
export async function createLink(
  { db, clock, randomBytes }: Pick<DomainContext, 'db' | 'clock' | 'randomBytes'>,
  accountId: string,
  kind: LinkKind,
): Promise<OneTimeLink> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAtMs = clock() + LIFETIME_MS[kind];
  await links(db)
    .insert({ account_id: accountId, kind, hash: hashToken(token), expires_at: expiresAtMs })
    .onConflict('account_id')
    .merge();
  return { kind, token, expiresAtMs };
}

/** The account that a link is for, and the kind of the link. */
export interface FoundLink {
  readonly accountId: string;
  readonly kind: LinkKind;
}

/**
 * Finds a link; undefined if it was used, replaced or removed, is expired, or never existed, or if its account is
 * disabled.
 */
export async function findLink({ db, clock }: ReadContext, token: string): Promise<FoundLink | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const row = await db('one_time_links')
    .join('accounts', 'accounts.id', 'one_time_links.account_id')
    .where({ 'one_time_links.hash': hashToken(token), 'accounts.disabled_at': null })
    .where('one_time_links.expires_at', '>', clock())
    .first<Pick<OneTimeLinkRow, 'account_id' | 'kind'> | undefined>(
      'one_time_links.account_id',
      'one_time_links.kind',
    );
  if (row === undefined || !isLinkKind(row.kind)) return undefined;
  return { accountId: row.account_id, kind: row.kind };
}

export const invalidLink = () =>
  new ServiceError(
    'notFound',
    'This link does not work: it was used, it is too old, or a newer one was made. Ask for another.',
  );

/** Uses up a link in a transaction. Throws a ServiceError if it no longer exists or is expired. */
export async function consumeLink(transaction: Database, token: string, nowMs: number): Promise<void> {
  const used = await links(transaction)
    .where({ hash: hashToken(token) })
    .where('expires_at', '>', nowMs)
    .delete();
  if (used === 0) throw invalidLink();
}

/** Whether the account has an unused invitation, even an expired one. */
export const isInvited = async (db: Database, accountId: string): Promise<boolean> =>
  (await links(db).where({ account_id: accountId, kind: 'invitation' }).first()) !== undefined;

/** Removes the link of an account, if it has one. */
export async function removeLinkOf(transaction: Database, accountId: string): Promise<void> {
  await links(transaction).where({ account_id: accountId }).delete();
}
