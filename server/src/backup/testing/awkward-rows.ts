import type { Database } from '../../storage/storage.js';

const CREATED_AT = 1_790_000_000_000;
const AWKWARD_TEXT = `"quoted" 'twice'; -- \\ \t ?? $1 {"a":[1]} ünï 😀 \u202e\u2028 \u0301`;
const LARGEST_INTEGER = Number.MAX_SAFE_INTEGER;

const account = (id: string, more: object) => ({
  id,
  email: `${id}@example.org`,
  name: AWKWARD_TEXT,
  password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
  is_operator: false,
  has_api_access: true,
  must_change_password: false,
  disabled_at: null,
  created_at: CREATED_AT,
  ...more,
});

const usageDay = (keyId: number, day: number, more: object = {}) => ({
  key_id: keyId,
  day,
  requests: 3,
  minute: day * 1_440,
  minute_requests: 1,
  granted: 1,
  per_minute: -1,
  per_day: 2_147_483_647,
  last_at: CREATED_AT,
  previous_at: null,
  timed_requests: 2,
  timed_ms: 0.1 + 0.2,
  ...more,
});

export const KEY_HASH = 'a'.repeat(43);

/** Rows in every table, such as are easily lost or changed on their way; two key numbers were given, one is left. */
export async function insertAwkwardRows(db: Database): Promise<void> {
  await db('accounts').insert([
    account('acc_1', { is_operator: true, name: null, captures: -1 }),
    account('acc_2', { has_api_access: false, must_change_password: true, disabled_at: LARGEST_INTEGER }),
    account('acc_3', { name: '', captures: 3 }),
  ]);
  await db('projects').insert([
    { id: 'prj_1', account_id: 'acc_1', name: AWKWARD_TEXT, created_at: CREATED_AT },
    { id: 'prj_2', account_id: 'acc_2', name: '0', created_at: 0 },
  ]);
  const key = { project_id: 'prj_1', prefix: 'sp_live_AbCd1234', created_at: CREATED_AT };
  await db('api_keys').insert({ ...key, hash: KEY_HASH, per_minute: null, per_day: -1, revoked_at: null });
  await db('api_keys').insert({ ...key, hash: 'gone', per_minute: 0, per_day: 5, revoked_at: CREATED_AT });
  await db('api_keys').where({ hash: 'gone' }).delete();
  await db('signing_keys').insert([
    { id: 'sig_1', public_key: 'x', private_key: 'sealed', created_at: CREATED_AT, retired_at: CREATED_AT },
    { id: 'sig_2', public_key: 'y', private_key: 'sealed', created_at: CREATED_AT, retired_at: null },
  ]);
  await db('encryption_keys').insert({ id: 'enc_1', wrapped_key: 'sealed', created_at: CREATED_AT });
  await db('refresh_tokens').insert({
    id: 'ref_1',
    account_id: 'acc_1',
    hash: 'r'.repeat(43),
    ciphertext: 'sealed',
    encryption_key_id: 'enc_1',
    created_at: CREATED_AT,
  });
  await db('return_urls').insert({
    id: 'ret_1',
    url: 'https://app.example/?a=%22&b=ü',
    name: AWKWARD_TEXT,
    created_at: CREATED_AT,
  });
  // More than one batch, and of one key more than one of the numbers' digits.
  const days = Array.from({ length: 2_345 }, (_, day) => usageDay(1, day));
  for (let start = 0; start < days.length; start += 400) {
    await db('usage_days').insert(days.slice(start, start + 400));
  }
  await db('usage_days').insert([
    usageDay(1, 20_000, { last_at: null, timed_ms: 5e-324 }),
    usageDay(1, 20_001, { timed_ms: 1.7976931348623157e308 }),
    usageDay(1, 20_002, { timed_ms: 123_456_789.000_000_1 }),
  ]);
  await db('usage_minutes').insert({ key_id: 1, minute: 28_800_000, requests: 4 });
  await db('sessions').insert({ id: 'session-hash', account_id: 'acc_1', expires_at: LARGEST_INTEGER });
  await db('tries').insert({ subject: '192.0.2.1', times: '[1,2,3]', expires_at: CREATED_AT });
}
