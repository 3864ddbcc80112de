import { DAY_MS } from '../platform/time-units.js';
import type { Database } from './storage.js';

/** SQLite has no boolean type and answers 0 or 1. */
type StoredBoolean = boolean | 0 | 1;

export interface AccountRow {
  readonly id: string;
  /** Normalised, so that equal addresses are equal texts. */
  readonly email: string;
  readonly name: string | null;
  readonly password_hash: string;
  readonly is_operator: StoredBoolean;
  readonly has_api_access: StoredBoolean;
  readonly must_change_password: StoredBoolean;
  readonly disabled_at: number | null;
  readonly created_at: number;
  /** Captures at the same time; null is the server's default, -1 is no bound. */
  readonly captures: number | null;
  /** Requests per window of all its keys together; null is the server's default, -1 is no limit. */
  readonly per_minute: number | null;
  readonly per_day: number | null;
  /** Whether its sign-in asks for a code, too. */
  readonly has_second_factor: StoredBoolean;
  /** Whether its owner wants no mail about limits that are used up. */
  readonly alerts_off: StoredBoolean;
  /** Whether the log of its requests has the addresses of the pages that were asked for. */
  readonly logs_pages: StoredBoolean;
}

export interface ProjectRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly created_at: number;
  /** Null while it is there; a deleted one is kept for the keys that it had. */
  readonly deleted_at: number | null;
}

export interface ApiKeyRow {
  readonly id: number;
  readonly project_id: string;
  readonly hash: string;
  readonly prefix: string;
  /** Requests per window; null is the server's default, -1 is no limit. */
  readonly per_minute: number | null;
  readonly per_day: number | null;
  readonly created_at: number;
  readonly revoked_at: number | null;
  readonly name: string | null;
  readonly note: string | null;
  /** From when on it is refused for good; null where it has no end. */
  readonly ends_at: number | null;
  /** Since when it is refused until it is enabled; null where it is not. */
  readonly disabled_at: number | null;
  /** Whether an operator disabled it, and an operator alone enables it. */
  readonly disabled_by_operator: StoredBoolean;
  /** The key whose place it took. */
  readonly replaces_id: number | null;
}

/** The id of the installation table's only row. */
export const INSTALLATION_ID = 1;

/** The one row that stands for the whole installation. */
export interface InstallationRow {
  readonly id: number;
  readonly secret_fingerprint: string;
  readonly created_at: number;
  /** The public address of the server that started last, which tokens name; null before the first start. */
  readonly issuer: string | null;
  /** Sealed under the installation's secret; null until the database is opened with it. */
  readonly key_pepper: string | null;
  readonly refresh_token_pepper: string | null;
  /** Whether strangers may sign up, "open" or "closed"; null where no operator chose. */
  readonly sign_up: string | null;
}

/** A key that signs access tokens, known to the world by its id and its public half. */
export interface SigningKeyRow {
  readonly id: string;
  /** The public half: the `x` of an Ed25519 JSON Web Key. */
  readonly public_key: string;
  /** The private half, encrypted under the installation's secret. */
  readonly private_key: string;
  readonly created_at: number;
  /** When a newer key took over; null for the one that signs now. */
  readonly retired_at: number | null;
}

/** A key that encrypts what must be shown again, itself encrypted under the installation's secret. */
export interface EncryptionKeyRow {
  readonly id: string;
  readonly wrapped_key: string;
  readonly created_at: number;
}

export interface RefreshTokenRow {
  readonly id: string;
  readonly account_id: string;
  readonly hash: string;
  readonly ciphertext: string;
  readonly encryption_key_id: string;
  readonly created_at: number;
}

/** An address that /apilogin may send a token to. */
export interface ReturnUrlRow {
  readonly id: string;
  readonly url: string;
  /** Whose it is, as people are told. */
  readonly name: string;
  readonly created_at: number;
}

/** An account's agreement that a return URL gets its tokens without another question. */
export interface ReturnUrlConsentRow {
  readonly account_id: string;
  readonly return_url_id: string;
  readonly agreed_at: number;
}

export interface SessionRow {
  /** A hash of what the cookie holds. */
  readonly id: string;
  readonly account_id: string;
  readonly expires_at: number;
  readonly begun_at: number | null;
  readonly used_at: number | null;
  /** When its owner last gave the password. */
  readonly password_at: number | null;
  /** Where it was begun: the address, and the browser in words. */
  readonly address: string | null;
  readonly browser: string | null;
  /** Whether the password was right and the code of the second factor is still to come. */
  readonly awaits_code: StoredBoolean;
}

/** The secret that an account shares with an app that shows codes. */
export interface SecondFactorRow {
  readonly id: string;
  readonly account_id: string;
  readonly ciphertext: string;
  readonly encryption_key_id: string;
  /** The step of time whose code was the last to be accepted. */
  readonly last_step: number | null;
  readonly created_at: number;
}

/** A code for one use in place of one that an app shows. */
export interface RecoveryCodeRow {
  readonly hash: string;
  readonly account_id: string;
}

/** What one subject (an address, an account) tried of late. */
export interface TriesRow {
  readonly subject: string;
  /** The timestamps of the tries, oldest first, as a JSON array. */
  readonly times: string;
  /** When the last of them no longer counts. */
  readonly expires_at: number;
}

/** A file that is kept for some minutes, without its bytes; of its address there is a hash alone. */
export interface LinkedFileRow {
  readonly hash: string;
  readonly account_id: string;
  /** The key that it was captured with, which it ends with. */
  readonly key_id: number;
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
  readonly expires_at: number;
}

/** A piece of such a file; the pieces are numbered from 0. */
export interface LinkedFileChunkRow {
  readonly file_hash: string;
  readonly number: number;
  readonly body: Buffer;
}

/** What somebody asks the operator for; of each subject there is one. */
export interface InboxRequestRow {
  /** Another one each time that it is asked for again. */
  readonly id: string;
  readonly kind: string;
  /** What is asked for and for whom. */
  readonly subject: string;
  /** Whose it is; null for somebody without an account. */
  readonly account_id: string | null;
  /** The key whose limits are too low; null where it is another kind, or all keys of the account. */
  readonly key_id: number | null;
  /** The e-mail and the name of somebody without an account. */
  readonly email: string | null;
  readonly name: string | null;
  readonly reason: string | null;
  /** The limits that are asked for, as an account or a key has them. */
  readonly per_minute: number | null;
  readonly per_day: number | null;
  readonly asked_at: number;
  /** "approved" or "refused"; null while it is open. */
  readonly outcome: string | null;
  readonly answer: string | null;
  readonly decided_at: number | null;
}

/** A link that lets the owner of an account choose a password, once; an account has one at most. */
export interface OneTimeLinkRow {
  readonly account_id: string;
  readonly kind: string;
  readonly hash: string;
  readonly expires_at: number;
}

/** That the owner of an account was told how much of a day's limit is used; key 0 stands for all keys together. */
export interface LimitAlertRow {
  readonly day: number;
  readonly account_id: string;
  readonly key_id: number;
  readonly percent: number;
}

/** How long an entry of the audit is kept, 400 days; the database refuses to remove it before. */
export const AUDIT_KEPT_MS = 400 * DAY_MS;

/** Who did what; accounts are named by their ids, which an entry outlives. */
export interface AuditRow {
  /** In the order of time. */
  readonly id: string;
  readonly at: number;
  readonly kind: string;
  readonly actor_id: string | null;
  readonly subject_id: string | null;
  readonly via: string;
  /** An IP address; erased with the account that acted from it. */
  readonly address: string | null;
  readonly detail: string | null;
}

/** Makes other transactions that call this wait until this one ends; first in it, before anything is read. */
export async function lockInstallation(transaction: Database): Promise<void> {
  await transaction<InstallationRow>('installation')
    .where({ id: INSTALLATION_ID })
    .update({ id: INSTALLATION_ID });
}

/**
 * Makes other transactions that lock or change this account wait until this one ends; first in it, before anything is
 * read. Answers false, and locks nothing, where there is no account of which all that is named is so.
 */
export async function lockAccount(
  transaction: Database,
  account: Pick<AccountRow, 'id'> & Partial<AccountRow>,
): Promise<boolean> {
  const locked = await transaction<AccountRow>('accounts').where(account).update({ id: account.id });
  return locked > 0;
}

/** Makes other transactions that lock or change this project wait; answers false where there is none, or it is deleted. */
export async function lockProject(
  transaction: Database,
  project: Pick<ProjectRow, 'id'> & Partial<ProjectRow>,
): Promise<boolean> {
  const locked = await transaction<ProjectRow>('projects')
    .where({ ...project, deleted_at: null })
    .update({ id: project.id });
  return locked > 0;
}
