import { Rejection, RejectionRecord } from '../guard/rejections.js';
import { navigationError } from './page-not-loaded.js';

const URL = 'https://page.test/';
const explain = (error: string, rejections = new RejectionRecord()) =>
  navigationError(error, [URL], rejections);

test.each([
  ['net::ERR_CERT_DATE_INVALID', 'its certificate has expired, or is not valid yet'],
  ['net::ERR_CERT_COMMON_NAME_INVALID', 'its certificate is for another host name'],
  ['net::ERR_CERT_AUTHORITY_INVALID', 'self-signed, or from an authority that is not trusted'],
  ['net::ERR_CERT_REVOKED', 'its certificate was revoked'],
  ['net::ERR_CERT_WEAK_SIGNATURE_ALGORITHM', 'its certificate is too weak or malformed'],
  ['net::ERR_CERT_WEAK_KEY', 'its certificate is too weak or malformed'],
  ['net::ERR_CERT_INVALID', 'its certificate is wrong'],
  ['net::ERR_CERT_SOMETHING_NEW', 'its certificate is wrong'],
  ['net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH', 'its TLS version or ciphers are outdated'],
  ['net::ERR_SSL_CLIENT_AUTH_CERT_NEEDED', 'it asks for a certificate of the visitor'],
  ['net::ERR_BAD_SSL_CLIENT_AUTH_CERT', 'it asks for a certificate of the visitor'],
  ['net::ERR_SSL_PROTOCOL_ERROR', 'TLS failed; perhaps its port does not speak https'],
])('explains the cause of a TLS failure: %s', (error, words) => {
  const { message, detail, mayLackNetwork } = explain(error);

  expect(message).toContain(`its https connection is not secure: `);
  expect(message).toContain(words);
  expect([detail, mayLackNetwork]).toEqual([error, false]);
});

test.each([
  ['nameNotPublic', false],
  ['notAllowed', false],
  ['tooManyNames', false],
  ['connectionRefused', false],
  ['badAnswer', false],
  ['nameNotAnswered', true],
  ['nameServersFailed', true],
  ['unreachable', true],
  ['connectionTimeout', true],
] as const)('a network that is down may be the cause of %s: %s', (reason, mayLackNetwork) => {
  const rejections = new RejectionRecord();
  rejections.add({ host: 'page.test', port: 443 }, new Rejection(reason, { cause: { code: 'ECODE' } }));
  const error = explain('net::ERR_TUNNEL_CONNECTION_FAILED', rejections);

  expect(error.mayLackNetwork).toBe(mayLackNetwork);
  expect(error.detail).toBe(`net::ERR_TUNNEL_CONNECTION_FAILED ${reason} ECODE`);
});
