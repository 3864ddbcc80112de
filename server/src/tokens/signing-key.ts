import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { seal, unseal } from '../secret/sealed-secret.js';
import type { SigningKeyRow } from '../storage/rows.js';
import { newId, type KeyMaker } from './key-maker.js';
import { ACCESS_TOKEN_LIFETIME_MS } from './lifetime.js';

/** The public half of a key as other services read it (RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** A new Ed25519 key as it is stored, its private half sealed under its id. */
export function newSigningKey({ keyEncryptionKey, randomBytes, clock }: KeyMaker): SigningKeyRow {
  const id = newId(randomBytes, 'sig');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' });
  return {
    id,
    public_key: publicKey.export({ format: 'jwk' }).x ?? '',
    private_key: seal(keyEncryptionKey, secret, id, randomBytes),
    created_at: clock(),
    retired_at: null,
  };
}

export const privateKeyOf = (row: Pick<SigningKeyRow, 'id' | 'private_key'>, keyEncryptionKey: KeyObject) =>
  createPrivateKey({
    key: unseal(keyEncryptionKey, row.private_key, row.id),
    format: 'der',
    type: 'pkcs8',
  });

export const publicKeyOf = ({ public_key: x }: Pick<SigningKeyRow, 'public_key'>): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });

export const publicJwkOf = (row: Pick<SigningKeyRow, 'id' | 'public_key'>): PublicJwk => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: row.public_key,
  kid: row.id,
  alg: 'EdDSA',
  use: 'sig',
});

/** Whether a key still verifies: a retired one does until the last token that it signed has ended. */
export const stillVerifies = (retiredAtMs: number | null, nowMs: number): boolean =>
  retiredAtMs === null || nowMs < retiredAtMs + ACCESS_TOKEN_LIFETIME_MS;
