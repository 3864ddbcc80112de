import { errorCode } from '../../platform/errors.js';

const OTHER_AUTHORITY = (address: string) =>
  `The certificate of the PostgreSQL at ${address} is of an authority that is not known here. Name the file with that ` +
  "authority's certificate, or with a self-signed one itself, as sslrootcert in SIGNPOST_DATABASE_URL.";

const NOT_TAKEN = (address: string) =>
  `The PostgreSQL at ${address} does not take the client certificate that sslcert in SIGNPOST_DATABASE_URL names. Use one ` +
  'of an authority that it trusts, for this user.';

const BY_CODE: Readonly<Record<string, (address: string) => string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: OTHER_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: OTHER_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: OTHER_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: OTHER_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: OTHER_AUTHORITY,
  CERT_SIGNATURE_FAILURE: OTHER_AUTHORITY,
  CERT_HAS_EXPIRED: (address) =>
    `The certificate of the PostgreSQL at ${address} has expired. Give the server another one.`,
  CERT_NOT_YET_VALID: (address) =>
    `The certificate of the PostgreSQL at ${address} is not valid yet. Look at the clocks of both machines.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (address) =>
    `The certificate of the PostgreSQL at ${address} is for another host. Write the host in SIGNPOST_DATABASE_URL as the ` +
    'certificate has it, or say sslmode=verify-ca to check only the authority.',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: NOT_TAKEN,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: NOT_TAKEN,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: NOT_TAKEN,
};

/**
 * Errors that can only be recognised by their message: those of the driver, and connections that PostgreSQL rejects,
 * which all have the same code.
 */
const BY_WORDS: readonly (readonly [RegExp, (address: string) => string])[] = [
  [
    /does not support SSL/u,
    (address) =>
      `The PostgreSQL at ${address} takes no TLS. Switch it on there (ssl = on), or say sslmode=disable in ` +
      'SIGNPOST_DATABASE_URL where the way to it is safe.',
  ],
  [
    /requires a valid client certificate/u,
    (address) =>
      `The PostgreSQL at ${address} wants a client certificate. Name it and its key as sslcert and sslkey in ` +
      'SIGNPOST_DATABASE_URL.',
  ],
  [/certificate authentication failed/u, NOT_TAKEN],
  [
    /no encryption|SSL off/u,
    (address) =>
      `The PostgreSQL at ${address} refuses this user without TLS. Say sslmode=verify-full in SIGNPOST_DATABASE_URL, or ` +
      'allow it in pg_hba.conf.',
  ],
];

/** Explains a known error about TLS or certificates; undefined for any other error. */
export function tlsProblem(address: string, error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  const advice = BY_CODE[errorCode(error)] ?? BY_WORDS.find(([words]) => words.test(message))?.[1];
  return advice?.(address);
}
