import { LIMITS, type LinkedOperation } from '@signpost/contract';
import { hashToken } from '../platform/hash-token.js';
import { ServiceError } from '../platform/errors.js';
import { BASE62, randomCharacters } from '../platform/random.js';
import { SECOND_MS } from '../platform/time-units.js';
import { keyIsLive } from '../storage/key-life.js';
import { lockAccount } from '../storage/locks.js';
import { inTransaction } from '../storage/storage.js';
import { type LinkContext, linkRows, newLinkToken } from './link.js';

const ID_CHARACTERS = 20;

interface NewLink {
  readonly keyId: number;
  readonly operation: LinkedOperation;
  /** The request of the operation, already checked. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly refreshSeconds: number;
  readonly expiresInSeconds: number;
}

interface CreatedLink {
  /** The secret part of the address. It is shown only this once: only its hash is stored. */
  readonly token: string;
  readonly expiresAtMs: number;
}

/**
 * Creates a link whose captures count against the limits of a key. Throws a ServiceError if there is no such key, or if
 * the account has as many links as it may have.
 */
export async function createLink(
  { db, clock, randomBytes, audit, actor, linkSealer }: LinkContext,
  { keyId, operation, request, refreshSeconds, expiresInSeconds }: NewLink,
): Promise<CreatedLink> {
  const token = newLinkToken(randomBytes);
  const id = `lnk_${randomCharacters(randomBytes, BASE62, ID_CHARACTERS)}`;
  return inTransaction(db, async (transaction) => {
    const sealed = await linkSealer.seal(transaction, id, Buffer.from(JSON.stringify(request)));
    const key = await transaction('api_keys')
      .join('projects', 'projects.id', 'api_keys.project_id')
      .where({ 'api_keys.id': keyId })
      .first<{ accountId: string; prefix: string } | undefined>(
        'projects.account_id as accountId',
        'api_keys.prefix',
      );
    if (key === undefined || !(await lockAccount(transaction, { id: key.accountId })))
      throw new ServiceError('unauthorized', 'The API key is not valid: it is unknown or revoked.');
    const nowMs = clock();
    const [live] = await transaction('capture_links')
      .join('api_keys', 'api_keys.id', 'capture_links.key_id')
      .where({ 'capture_links.account_id': key.accountId, 'capture_links.ended_at': null })
      .where('capture_links.expires_at', '>', nowMs)
      .whereRaw(keyIsLive('api_keys'), [nowMs])
      .count({ rows: '*' });
    const { max } = LIMITS.captureLinks;
    if (Number(live?.['rows'] ?? 0) >= max)
      throw new ServiceError(
        'invalidRequest',
        `This account has ${max.toLocaleString('en-GB')} links, and cannot have more. End some in the console, or wait until one expires.`,
      );
    const expiresAtMs = nowMs + expiresInSeconds * SECOND_MS;
    await linkRows(transaction).insert({
      ...sealed,
      hash: hashToken(token),
      account_id: key.accountId,
      key_id: keyId,
      operation,
      refresh_seconds: refreshSeconds,
      created_at: nowMs,
      expires_at: expiresAtMs,
    });
    await audit.record(
      transaction,
      { ...actor, accountId: key.accountId },
      {
        kind: 'capture-link.made',
        subjectId: key.accountId,
        detail: `${id} of ${key.prefix}`,
      },
    );
    return { token, expiresAtMs };
  });
}
