import { DAY_MS } from '../platform/time-units.js';

/** SQLite has no boolean type and returns 0 or 1. */
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
  /** The maximum number of concurrent captures on each server; null for the server's default, -1 for no limit. */
  readonly captures: number | null;
  /**
   * The limit of requests per minute of all keys together; `per_day` is that per day. Null for the server's default, -1
   * for no limit.
   */
  readonly per_minute: number | null;
  readonly per_day: number | null;
  /** Whether signing in also requires a code. */
  readonly has_second_factor: StoredBoolean;
  /** Whether the owner turned off mail about limits. */
  readonly alerts_off: StoredBoolean;
  /** Whether the log of requests includes the host and path of each page that the account's keys request. */
  readonly logs_pages: StoredBoolean;
}

export interface ProjectRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly created_at: number;
  /** When the project was deleted; null if it was not. The row of a deleted project stays if keys refer to it. */
  readonly deleted_at: number | null;
}

export interface ApiKeyRow {
  readonly id: number;
  readonly project_id: string;
  readonly hash: string;
  readonly prefix: string;
  /** The limit of requests per minute; `per_day` is that per day. Null for the server's default, -1 for no limit. */
  readonly per_minute: number | null;
  readonly per_day: number | null;
  readonly created_at: number;
  readonly revoked_at: number | null;
  readonly name: string | null;
  readonly note: string | null;
  /** When the key ends for good; null if it has no end. */
  readonly ends_at: number | null;
  /** When the key was disabled; null if it is enabled. */
  readonly disabled_at: number | null;
  /** Whether an operator disabled the key, so that only an operator can enable it. */
  readonly disabled_by_operator: StoredBoolean;
  /** The id of the key that this one replaces; null if it replaces none. */
  readonly replaces_id: number | null;
  /** The permissions of the key, with commas between them; null for all. */
  readonly permissions: string | null;
}

/** The id of the installation table's only row. */
export const INSTALLATION_ID = 1;

/** The only row of the table `installation`, which describes the whole installation. */
export interface InstallationRow {
  readonly id: number;
  readonly secret_fingerprint: string;
  readonly created_at: number;
  /** The public address that the server that started last uses in tokens; null before the first start. */
  readonly issuer: string | null;
  /** Encrypted under the installation's secret; null until the database is opened with it. */
  readonly key_pepper: string | null;
  readonly refresh_token_pepper: string | null;
  /** Whether strangers may sign up, "open" or "closed"; null if no operator has chosen. */
  readonly sign_up: string | null;
}

/** A key that signs access tokens. Its id and its public half are published. */
export interface SigningKeyRow {
  readonly id: string;
  /** The public half: the `x` of an Ed25519 JSON Web Key. */
  readonly public_key: string;
  /** The private half, encrypted under the installation's secret. */
  readonly private_key: string;
  readonly created_at: number;
  /** When a newer key replaced this one; null for the key that signs now. */
  readonly retired_at: number | null;
}

/**
 * A key that encrypts stored values which must be read again, such as refresh tokens. It is itself encrypted under the
 * installation's secret.
 */
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

/** An address that /apilogin may send tokens to. */
export interface ReturnUrlRow {
  readonly id: string;
  readonly url: string;
  /** The name of the site, as shown to people. */
  readonly name: string;
  readonly created_at: number;
}

/** The consent of an account: /apilogin gives a return URL tokens of the account without asking the owner again. */
export interface ReturnUrlConsentRow {
  readonly account_id: string;
  readonly return_url_id: string;
  readonly agreed_at: number;
}

export interface SessionRow {
  /** A hash of the cookie's value. */
  readonly id: string;
  readonly account_id: string;
  readonly expires_at: number;
  readonly begun_at: number | null;
  readonly used_at: number | null;
  /**
   * When the account's owner last entered the password in this session; null in a session that an older version began,
   * until the password is entered again.
   */
  readonly password_at: number | null;
  /** The IP address that began the session. */
  readonly address: string | null;
  /** The browser that began the session, in words. */
  readonly browser: string | null;
  /** Whether the password was right but the second-factor code is still missing. */
  readonly awaits_code: StoredBoolean;
}

/** The secret that an account shares with an authenticator app. */
export interface SecondFactorRow {
  readonly id: string;
  readonly account_id: string;
  readonly ciphertext: string;
  readonly encryption_key_id: string;
  /** The time step of the last accepted code. */
  readonly last_step: number | null;
  readonly created_at: number;
}

/** A one-time code, stored as a hash, that can be entered instead of a code from an app. */
export interface RecoveryCodeRow {
  readonly hash: string;
  readonly account_id: string;
}

/** The recent tries of one subject: an action, and the person or address that does it. */
export interface TriesRow {
  readonly subject: string;
  /** The timestamps of the tries, oldest first, as a JSON array. */
  readonly times: string;
  /** When the last try no longer counts. */
  readonly expires_at: number;
}

/** A file kept for some minutes, without its bytes. Only a hash of its address is stored. */
export interface LinkedFileRow {
  readonly hash: string;
  readonly account_id: string;
  /** The key with which the file was captured. The file is removed once that key has ended or was revoked. */
  readonly key_id: number;
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
  readonly expires_at: number;
}

/** A chunk of a linked file. Chunks are numbered from 0. */
export interface LinkedFileChunkRow {
  readonly file_hash: string;
  readonly number: number;
  readonly body: Buffer;
}

/** A link to a capture, with its latest capture, if there is one. Only a hash of its token is stored. */
export interface CaptureLinkRow {
  readonly id: string;
  readonly hash: string;
  readonly account_id: string;
  /** The key whose limits the captures of the link count against. */
  readonly key_id: number;
  readonly operation: string;
  /** The request, encrypted. */
  readonly ciphertext: string;
  readonly encryption_key_id: string;
  readonly refresh_seconds: number;
  readonly created_at: number;
  readonly expires_at: number;
  /** When somebody ended the link; null if nobody did, even if it has expired. */
  readonly ended_at: number | null;
  readonly capture_id: string | null;
  readonly media_type: string | null;
  readonly bytes: number | null;
  readonly captured_at: number | null;
  /** After a failed capture: the time before which no other is tried. */
  readonly retry_at: number | null;
  /** The kind of error of the last capture; null if it succeeded, or if none was tried. */
  readonly failure: string | null;
  /** Until when one server has claimed the next capture, so that others wait for it; null if none has. */
  readonly claimed_until: number | null;
}

/** A chunk of a capture. Chunks are numbered from 0. */
export interface CaptureLinkChunkRow {
  readonly capture_id: string;
  readonly number: number;
  readonly link_id: string;
  readonly body: Buffer;
}

/** A request to the operator. There is one per subject. */
export interface InboxRequestRow {
  /** Changes each time the same request is sent again. */
  readonly id: string;
  readonly kind: string;
  /** Identifies the request: its kind, and who or what it is about. */
  readonly subject: string;
  /** Null for somebody without an account. */
  readonly account_id: string | null;
  /**
   * The key whose limits should be raised; null for other kinds of requests, or for all keys of the account.
   */
  readonly key_id: number | null;
  /** The e-mail address of somebody without an account. */
  readonly email: string | null;
  /** The name of somebody without an account. */
  readonly name: string | null;
  readonly reason: string | null;
  /** The requested limit per minute, stored like that of an account or a key; `per_day` is that per day. */
  readonly per_minute: number | null;
  readonly per_day: number | null;
  readonly asked_at: number;
  /** "approved" or "refused"; null while the request is open. */
  readonly outcome: string | null;
  readonly answer: string | null;
  readonly decided_at: number | null;
}

/** A link with which an account's owner chooses a password, once. An account has at most one. */
export interface OneTimeLinkRow {
  readonly account_id: string;
  readonly kind: string;
  readonly hash: string;
  readonly expires_at: number;
}

/**
 * Records that an account was alerted about a percentage of a day's limit. Key 0 stands for all keys
 * together.
 */
export interface LimitAlertRow {
  readonly day: number;
  readonly account_id: string;
  readonly key_id: number;
  readonly percent: number;
}

/** How long audit entries are kept, 400 days. The database refuses to remove them earlier. */
export const AUDIT_KEPT_MS = 400 * DAY_MS;

/** Who did what. Accounts are identified by id, and entries outlive them. */
export interface AuditRow {
  /** Sorts in the order of time. */
  readonly id: string;
  readonly at: number;
  readonly kind: string;
  readonly actor_id: string | null;
  readonly subject_id: string | null;
  readonly via: string;
  /**
   * The IP address from which somebody acted. Deleting an account erases the addresses from which it acted, or from
   * which a stranger acted on it.
   */
  readonly address: string | null;
  readonly detail: string | null;
}
