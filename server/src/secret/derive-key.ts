import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const keyBytes = 32;

/** What each derived key is for; keys of two purposes tell nothing about each other. */
export type KeyPurpose =
  | 'key-pepper'
  | 'installation-fingerprint'
  | 'refresh-token-pepper'
  | 'key-encryption'
  | 'form-tokens'
  | 'backup-authentication';

/** Derives the key for one purpose from the installation's secret (HKDF-SHA-256). */
export function deriveKey(secret: KeyObject, purpose: KeyPurpose): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `signpost ${purpose}`, keyBytes)));
}
