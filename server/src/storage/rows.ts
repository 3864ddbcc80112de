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
}

export interface ProjectRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly created_at: number;
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
}

/** The id of the installation table's only row. */
export const INSTALLATION_ID = 1;

/** The one row that stands for the whole installation. */
export interface InstallationRow {
  readonly id: number;
  readonly secret_fingerprint: string;
  readonly created_at: number;
}
