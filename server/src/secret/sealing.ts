import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';

const KEY_BYTES = 32;

/** What a derived key is for. Keys for different purposes reveal nothing about each other. */
type KeyPurpose =
  | 'key-pepper'
  | 'installation-fingerprint'
  | 'refresh-token-pepper'
  | 'key-encryption'
  | 'form-tokens'
  | 'refresh-token-successor'
  | 'backup-authentication';

/** Derives the key for one purpose from a secret (HKDF-SHA-256). */
export function deriveKey(secret: KeyObject, purpose: KeyPurpose): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `signpost ${purpose}`, KEY_BYTES)));
}

const algorithm = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM and a fresh nonce. Returns nonce, tag and ciphertext as base64url. `name` says what the
 * secret belongs to, usually its row's id; the result cannot be opened with another name.
 */
export function seal(key: KeyObject, secret: Buffer, name: string, randomBytes: RandomBytes): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(name),
  );
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url');
}

/** Decrypts the result of `seal`. Throws a ServiceError if it was changed, or sealed with another key or name. */
export function unseal(key: KeyObject, sealed: string, name: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64url');
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(name))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new ServiceError(
      'internal',
      'A secret in the database cannot be decrypted: it was changed there, or belongs to another installation.',
      { detail: `The sealed secret of ${name} does not open.`, cause: error },
    );
  }
}
