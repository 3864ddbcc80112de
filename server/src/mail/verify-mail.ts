import { z } from 'zod';
import { withinTime } from '../platform/within-time.js';
import { type Outbound, ProxyFailure } from '../platform/outbound/outbound-proxy.js';
import { connectionTo, outboundOptions } from './mailer.js';

const TIMEOUT_MS = 5_000;

/** Why mail cannot be sent through a mail server. */
type MailProblemKind = 'unreachable' | 'encryption' | 'password';

/** A problem with the mail server. Its message contains nothing that was sent, such as a password. */
export class MailProblem extends Error {
  constructor(
    readonly why: MailProblemKind,
    message: string,
  ) {
    super(message);
    this.name = 'MailProblem';
  }
}

/** The host and port of a mail server, without user and password. */
export function mailServerName(url: URL): string {
  const { host, port } = connectionTo(url);
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * The codes in an error that tell its cause. The messages are not used, because they may contain what was sent, such as
 * a password.
 */
const failure = z.object({ code: z.string().optional(), originalCode: z.string().optional() }).catch({});

const TLS_CODES = /^(?:ETLS|EREQUIRETLS|CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/u;

function problemOf(error: unknown, name: string, timeoutProblem: () => MailProblem): MailProblem {
  if (error instanceof MailProblem) return error;
  if (error instanceof ProxyFailure)
    return new MailProblem('unreachable', `the proxy makes no connection to ${name} (${error.code})`);
  const { code = '', originalCode = code } = failure.parse(error);
  if (code === 'ETIMEDOUT') return timeoutProblem();
  if (code === 'EAUTH') return new MailProblem('password', `${name} does not take the user or the password`);
  if ([code, originalCode].some((one) => TLS_CODES.test(one)))
    return new MailProblem('encryption', `no encrypted connection with ${name} (${originalCode})`);
  return new MailProblem('unreachable', `${name} does not answer as a mail server (${originalCode})`);
}

/**
 * Connects to a mail server and, if the URL has a user, signs in. Sends no mail. If that fails or takes longer than
 * `timeoutMs`, rejects with a MailProblem.
 */
export async function verifyMailServer(url: URL, timeoutMs = TIMEOUT_MS, outbound?: Outbound): Promise<void> {
  const name = mailServerName(url);
  const { createTransport } = await import('nodemailer');
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({
    ...connectionTo(url),
    ...outboundOptions(url, outbound),
    ...timeouts,
    dnsTimeout: timeoutMs,
  });
  const timeoutProblem = () =>
    new MailProblem('unreachable', `${name} does not answer within ${timeoutMs / 1_000} s`);
  try {
    await withinTime(transport.verify(), timeoutMs, timeoutProblem);
  } catch (error) {
    throw problemOf(error, name, timeoutProblem);
  } finally {
    transport.close();
  }
}
