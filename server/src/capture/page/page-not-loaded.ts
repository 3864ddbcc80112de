import { ServiceError } from '../../platform/errors.js';
import type { FailureReason } from '../failure-watch.js';
import type { RejectionReason, RejectionRecord } from '../guard/rejections.js';

/**
 * The same text for a name that does not exist and for a name of the server's own network, because callers must not
 * learn which it is.
 */
const NAME_NOT_PUBLIC = 'its name was not found, or leads to an address that is not public';

const GUARD_EXPLANATIONS: Readonly<Record<RejectionReason, string>> = {
  notAllowed:
    'its address is not allowed: only public addresses may be captured, and those that the operator allows by SIGNPOST_ALLOW_ADDRESSES',
  nameNotPublic: NAME_NOT_PUBLIC,
  connectionRefused: 'the connection was refused',
  connectionTimeout: 'the connection was not answered',
  nameNotAnswered: 'no name server answered when it was asked for its name',
  nameServersFailed: 'the name servers failed to look up its name',
  tooManyNames: 'it needs more host names than one capture may look up',
  unreachable: 'the server cannot be reached',
  badAnswer: 'the server did not answer with valid HTTP',
  proxyUnreachable: "this server's proxy for outgoing requests does not answer",
  proxyRefused: "this server's proxy for outgoing requests refused the connection",
};

const insecure = (why: string) => `its https connection is not secure: ${why}`;

const CHROMIUM_EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/ERR_TOO_MANY_REDIRECTS/u, 'it has too many redirects'],
  [/ERR_NAME_NOT_RESOLVED/u, NAME_NOT_PUBLIC],
  [/ERR_CONNECTION_REFUSED/u, 'the connection was refused'],
  [/ERR_CERT_DATE_INVALID/u, insecure('its certificate has expired, or is not valid yet')],
  [/ERR_CERT_COMMON_NAME_INVALID/u, insecure('its certificate is for another host name')],
  [
    /ERR_CERT_AUTHORITY_INVALID/u,
    insecure('its certificate is self-signed, or from an authority that is not trusted'),
  ],
  [/ERR_CERT_REVOKED/u, insecure('its certificate was revoked')],
  [/ERR_CERT_WEAK|ERR_SSL_SERVER_CERT_BAD_FORMAT/u, insecure('its certificate is too weak or malformed')],
  [/ERR_CERT/u, insecure('its certificate is wrong')],
  [
    /ERR_SSL_VERSION_OR_CIPHER_MISMATCH|ERR_SSL_OBSOLETE/u,
    insecure('its TLS version or ciphers are outdated'),
  ],
  [/ERR_SSL_CLIENT_AUTH|ERR_BAD_SSL_CLIENT_AUTH/u, insecure('it asks for a certificate of the visitor')],
  [/ERR_SSL|ERR_TLS/u, insecure('TLS failed; perhaps its port does not speak https')],
  [/ERR_EMPTY_RESPONSE/u, 'the server closed the connection without an answer'],
  [/ERR_ABORTED/u, 'its answer was empty, or leads to another program'],
  [/ERR_HTTP_RESPONSE_CODE_FAILURE/u, 'its answer was empty'],
  [
    /ERR_INVALID_RESPONSE|ERR_INVALID_HTTP|ERR_CONTENT|ERR_RESPONSE_HEADERS/u,
    'the server did not answer with valid HTTP',
  ],
  [/ERR_UNSAFE_PORT/u, 'its port is not one for web pages'],
  [
    /ERR_UNKNOWN_URL_SCHEME|ERR_DISALLOWED_URL_SCHEME|ERR_UNSAFE_REDIRECT|ERR_BLOCKED/u,
    'it leads to an address that is not allowed',
  ],
  [/ERR_TUNNEL_CONNECTION_FAILED|ERR_CONNECTION/u, 'the server cannot be reached'],
];

/** Failures that may be due to the server's own network being down. */
const LACKS_NETWORK: ReadonlySet<RejectionReason> = new Set([
  'nameNotAnswered',
  'nameServersFailed',
  'unreachable',
  'connectionTimeout',
  'proxyUnreachable',
  'proxyRefused',
]);

const REASONS: Readonly<Partial<Record<RejectionReason, FailureReason>>> = {
  nameNotPublic: 'name',
  nameNotAnswered: 'name',
  nameServersFailed: 'name',
  connectionRefused: 'unreachable',
  connectionTimeout: 'unreachable',
  unreachable: 'unreachable',
  proxyUnreachable: 'proxy',
  proxyRefused: 'proxy',
};

/** The cause: the guard's reason if it rejected the request, otherwise the browser's error. */
function reasonOf(error: string, rejection: RejectionReason | undefined): FailureReason {
  if (rejection !== undefined) return REASONS[rejection] ?? 'other';
  if (/ERR_CERT|ERR_SSL|ERR_TLS/u.test(error)) return 'certificate';
  if (/ERR_NAME_NOT_RESOLVED/u.test(error)) return 'name';
  if (/ERR_INSUFFICIENT_RESOURCES|ERR_OUT_OF_MEMORY/u.test(error)) return 'memory';
  if (/ERR_FILE_NO_SPACE|ERR_CACHE_WRITE/u.test(error)) return 'disk';
  return /ERR_TUNNEL_CONNECTION_FAILED|ERR_CONNECTION|ERR_EMPTY_RESPONSE/u.test(error)
    ? 'unreachable'
    : 'other';
}

/** The error for a page that could not be loaded. It is an invalid request, because usually its address is at fault. */
export class PageNotLoaded extends ServiceError {
  constructor(
    words: string,
    detail = 'unknown',
    /** Whether the server's own network may be the cause. */
    readonly mayLackNetwork = false,
    reason: FailureReason = 'other',
  ) {
    super('invalidRequest', `The page cannot be captured: ${words}.`, { detail, reason });
  }
}

/**
 * The error that says why none of these addresses was loaded: the guard's reason if there is one, otherwise the
 * browser's error.
 */
export function navigationError(
  error: string,
  addresses: readonly string[],
  rejections: RejectionRecord,
): PageNotLoaded {
  const rejection = addresses
    .map((address) => rejections.rejectionOf(address))
    .find((found) => found !== undefined);
  const words =
    rejection === undefined
      ? CHROMIUM_EXPLANATIONS.find(([pattern]) => pattern.test(error))?.[1]
      : GUARD_EXPLANATIONS[rejection.reason];
  const detail = [error, rejection?.reason, rejection?.code].filter(
    (part) => part !== undefined && part !== '',
  );
  return new PageNotLoaded(
    words ?? 'it cannot be loaded',
    detail.join(' ') || 'unknown',
    rejection !== undefined && LACKS_NETWORK.has(rejection.reason),
    reasonOf(error, rejection?.reason),
  );
}
