import { errorCode, meaningOf } from '../system-errors.js';

const UNTRUSTED =
  'its certificate is not from an authority that this machine trusts. Save the certificate of that authority in a file, and set NODE_EXTRA_CA_CERTS to its path';

const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet. Check the clock of this machine',
  CERT_REVOKED: 'its certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

/** OpenSSL's messages about a failed handshake, with their meaning. The first match counts. */
const HANDSHAKES: readonly (readonly [RegExp, string])[] = [
  [
    /wrong.version.number|packet.length.too.long|http.request|record.layer/iu,
    'it does not speak TLS there. Write http:// in its address instead of https://, or another port',
  ],
  [
    /unsupported.protocol|protocol.version|no.protocols.available|version.too.low/iu,
    'it offers only a version of TLS older than 1.2, which is refused. Its operator has to allow TLS 1.2 or 1.3',
  ],
  [
    /handshake.failure|no.shared.cipher|key.too.small|md.too.weak|legacy.sigalg|unsafe.legacy/iu,
    'its TLS settings are too old or too weak, and are refused. Its operator has to renew them',
  ],
];

/** At most this many errors are read, the outermost included, because causes may form a circle. */
const MAX_CAUSES = 5;

/**
 * An error and its causes, the outermost first, at most MAX_CAUSES in all. `fetch` and axios wrap the error that has
 * the reason.
 */
function withCauses(error: unknown): unknown[] {
  const errors: unknown[] = [];
  for (
    let each = error;
    each !== undefined && errors.length < MAX_CAUSES;
    each = each instanceof Error ? each.cause : undefined
  )
    errors.push(each);
  return errors;
}

function meaning(error: unknown): string | undefined {
  const code = errorCode(error);
  const text = error instanceof Error ? error.message : '';
  if (code === 'ECONNRESET' || text === 'socket hang up')
    return 'it closed the connection without an answer. Check whether its address begins with https://';
  if (code.startsWith('HPE_'))
    return 'it does not speak HTTP there. Write https:// in its address instead of http://, or another port';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || /SSL routines/u.test(text))
    return HANDSHAKES.find(([pattern]) => pattern.test(`${code} ${text}`))?.[1] ?? 'the TLS handshake failed';
  return CERTIFICATES[code] ?? meaningOf(error);
}

/** Why a connection failed and, if that is known, what to change, as the end of a sentence without a full stop. */
export function connectionProblem(error: unknown): string {
  const errors = withCauses(error);
  for (const each of errors) {
    const words = meaning(each);
    const code = errorCode(each);
    if (words !== undefined) return code === '' ? words : `${words} (${code})`;
  }
  // The innermost error has the most precise message.
  const innermost = errors.findLast((each) => each instanceof Error && each.message !== '');
  return innermost instanceof Error ? innermost.message.replace(/\.$/u, '') : 'the request failed';
}
