import { property, textOf } from './values';

/** Why a request got no response from the server, or could not be sent. */
export type NoAnswer =
  | 'broken'
  | 'certificate'
  | 'invalidKey'
  | 'notHttp'
  | 'notHttps'
  | 'protected'
  | 'refused'
  | 'timeout'
  | 'unknownName'
  | 'unreachable';

const BY_CODE: Readonly<Record<string, NoAnswer>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknownName',
  EAI_AGAIN: 'unknownName',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ECONNABORTED: 'timeout',
  ETIMEDOUT: 'timeout',
  ESOCKETTIMEDOUT: 'timeout',
  ECONNRESET: 'broken',
  EPIPE: 'broken',
  ERR_NETWORK: 'broken',
  // The HTTP client's code if the connection ends in the middle of a response.
  ERR_BAD_RESPONSE: 'broken',
  EPROTO: 'notHttps',
  ERR_SSL_WRONG_VERSION_NUMBER: 'notHttps',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'notHttps',
  ERR_INVALID_CHAR: 'invalidKey',
};
/**
 * Matches the codes of OpenSSL and Node.js for a certificate that is not accepted, such as DEPTH_ZERO_SELF_SIGNED_CERT.
 */
const CERTIFICATE = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$/u;
/** Matches the codes of Node.js for a response that does not begin as HTTP does. */
const NOT_HTTP = /^HPE_(?:INVALID_CONSTANT|INVALID_VERSION|INVALID_STATUS|CR_EXPECTED)$/u;
/** Matches the message, or the name, of n8n's error if its protection against SSRF blocks a request. */
const PROTECTED = /request was blocked because|^SsrfBlocked/iu;

/** Why a request got no response, according to its error; undefined for an unknown error. */
export function noAnswerOf(code: string | undefined, layers: readonly unknown[]): NoAnswer | undefined {
  const words = layers.flatMap((layer) => [property(layer, 'name'), property(layer, 'message')]);
  if (words.some((text) => PROTECTED.test(textOf(text) ?? ''))) return 'protected';
  if (code === undefined) return undefined;
  if (NOT_HTTP.test(code)) return 'notHttp';
  return BY_CODE[code] ?? (CERTIFICATE.test(code) ? 'certificate' : undefined);
}

/** A hint about addresses of this machine, which are the container's own if n8n runs in one. */
export const IN_DOCKER =
  'In Docker, 127.0.0.1 is the container itself: use the name of the server or host.docker.internal.';

interface Words {
  readonly message: string;
  readonly advice: string;
}

const CANNOT_BE_REACHED = 'The Signpost server cannot be reached';
const CHECK = `Check the Base URL in the credential and that the server runs. ${IN_DOCKER}`;

const WORDS: Readonly<Record<NoAnswer, Words>> = {
  broken: { message: 'The Signpost server ended the connection without an answer', advice: CHECK },
  certificate: {
    message: 'The certificate of the Signpost server is not trusted',
    advice:
      'Give the server a certificate that n8n trusts, name its authority to n8n in NODE_EXTRA_CA_CERTS, or turn on Ignore SSL Issues (Insecure) in the credential.',
  },
  invalidKey: {
    message: 'The key or token in the credential contains characters that no key or token has',
    advice: 'Copy it again into the credential.',
  },
  notHttp: {
    message: 'The server at the Base URL does not speak HTTP',
    advice:
      'Enter the Base URL in the credential with https:// if the server has a certificate, or another port.',
  },
  notHttps: {
    message: 'The server at the Base URL does not speak https',
    advice: 'Enter the Base URL in the credential with http:// if the server has no certificate.',
  },
  protected: {
    message: "n8n's SSRF protection blocks the Signpost server",
    advice:
      'Ask the administrator of n8n to add the address of the server to N8N_SSRF_ALLOWED_IP_RANGES, or its name to N8N_SSRF_ALLOWED_HOSTNAMES.',
  },
  refused: { message: `${CANNOT_BE_REACHED}: the connection was refused`, advice: CHECK },
  timeout: {
    message: 'The Signpost server did not answer in time',
    advice:
      'Check that the server is not overloaded, and that no firewall between n8n and the server drops the connection.',
  },
  unknownName: { message: `${CANNOT_BE_REACHED}: its name is not known`, advice: CHECK },
  unreachable: { message: CANNOT_BE_REACHED, advice: CHECK },
};

/** The message and the advice for the user about a request without a response. */
export const noAnswerWords = (reason: NoAnswer | undefined): Words => WORDS[reason ?? 'unreachable'];
