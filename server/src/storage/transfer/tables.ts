interface CopiedTable {
  readonly name: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
}

/** The table whose rows get ascending numbers that running servers remember. */
export const KEYS_TABLE = 'api_keys';

/** Tables whose rows belong in every copy of the data: each after those that it refers to, the large ones last. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'installation', key: ['id'] },
  { name: 'accounts', key: ['id'] },
  { name: 'projects', key: ['id'] },
  { name: KEYS_TABLE, key: ['id'] },
  { name: 'signing_keys', key: ['id'] },
  { name: 'encryption_keys', key: ['id'] },
  { name: 'refresh_tokens', key: ['id'] },
  { name: 'return_urls', key: ['id'] },
  { name: 'usage_days', key: ['key_id', 'day'] },
  { name: 'usage_minutes', key: ['key_id', 'minute'] },
];

/** Of a restored account nobody is signed in: whoever was may have been signed out for a reason since. */
export const SESSIONS_TABLE = 'sessions';
