import type { RefusalReason } from '../guard/host-resolver.js';
import type { RefusalRecord } from '../guard/refusal-record.js';
import { ServiceError } from '../../service-error.js';

const GUARD_WORDS: Readonly<Record<RefusalReason, string>> = {
  notAllowed: 'its address is not allowed: only public addresses may be captured',
  nameNotFound: 'its name was not found',
  connectionRefused: 'the connection was refused',
  connectionTimeout: 'the connection was not answered',
  unreachable: 'the server cannot be reached',
  badAnswer: 'the server did not answer with valid HTTP',
};

const CHROMIUM_WORDS: readonly (readonly [RegExp, string])[] = [
  [/Download is starting/u, 'it is a download, not a page'],
  [/ERR_TOO_MANY_REDIRECTS/u, 'it has too many redirects'],
  [/ERR_NAME_NOT_RESOLVED/u, 'its name was not found'],
  [/ERR_CONNECTION_REFUSED/u, 'the connection was refused'],
  [
    /ERR_(?:SSL|CERT|BAD_SSL)|ERR_TLS/u,
    'its https connection is not secure (TLS failed or the certificate is wrong)',
  ],
  [/ERR_EMPTY_RESPONSE/u, 'the server closed the connection without an answer'],
  [/ERR_ABORTED|ERR_HTTP_RESPONSE_CODE_FAILURE/u, 'its answer was empty'],
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

/** Addresses in an error of Playwright: the one that failed may be another than the one asked for. */
const addressesIn = (message: string) => message.match(/https?:\/\/[^\s"]+/gu) ?? [];

/** Why a page could not be loaded, in the words of the answer: the address is what is wrong, not the server. */
export function navigationError(
  error: unknown,
  askedUrl: string,
  shownUrl: string,
  refusals: RefusalRecord,
): unknown {
  if (error instanceof ServiceError) return error;
  const message = error instanceof Error ? error.message : '';
  const reason = [...addressesIn(message), shownUrl, askedUrl]
    .map((address) => refusals.reasonFor(address))
    .find((found) => found !== undefined);
  const words =
    reason === undefined
      ? CHROMIUM_WORDS.find(([pattern]) => pattern.test(message))?.[1]
      : GUARD_WORDS[reason];
  if (words === undefined && error !== undefined && !/net::ERR_/u.test(message)) return error;
  return new ServiceError(
    'invalidRequest',
    `The page cannot be captured: ${words ?? 'it cannot be loaded'}.`,
    {
      detail: /net::\w+/u.exec(message)?.[0] ?? reason ?? 'unknown',
    },
  );
}
