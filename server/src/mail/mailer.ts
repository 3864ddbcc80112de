import { isIP, type Socket } from 'node:net';
import { z } from 'zod';
import type { Log } from '../platform/log.js';
import { isLoopbackHost } from '../platform/networks.js';
import type { Outbound, OutboundProxy } from '../platform/outbound/outbound-proxy.js';
import { settledWithin } from '../platform/within-time.js';

const TIMEOUT_MS = 15_000;
const MAX_WAITING = 200;
/** How long a stopping server waits for queued mail. */
const CLOSING_MS = 5_000;
const TLS_PORT = 465;
const SUBMISSION_PORT = 587;

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail in the background, so that no response waits for it. Failures are logged. */
export interface Mailer {
  readonly isOn: boolean;
  send(mail: Mail): void;
  /** How many mails could not be sent since the start. */
  unsent(): number;
  /** Resolves when every mail was sent, or could not be. */
  idle(): Promise<void>;
  /** Waits until the queue is empty, but at most five seconds. Sends nothing after that. */
  close(): Promise<void>;
}

/** Used if no mail server is configured. */
export const NO_MAILER: Mailer = {
  isOn: false,
  send: () => undefined,
  unsent: () => 0,
  idle: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

interface MailerOptions {
  readonly url: URL;
  readonly from: string;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /**
   * The proxy for connections and the certificates to trust; undefined for no proxy and the certificates of Node.js.
   */
  readonly outbound?: Outbound | undefined;
}

/**
 * The connection options for a mail server's URL. `smtps:` uses TLS from the first byte. `smtp:` uses STARTTLS if the
 * server offers it, and requires it if the URL has a user. Within this machine, `smtp:` is not encrypted.
 */
export function connectionTo({ protocol, hostname, port, username, password }: URL) {
  const isTls = protocol === 'smtps:';
  const isLocal = isLoopbackHost(hostname);
  const usualPort = isTls ? TLS_PORT : SUBMISSION_PORT;
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname.replaceAll(/[[\]]/gu, ''),
    port: port === '' ? usualPort : Number(port),
    secure: isTls,
    requireTLS: !isTls && !isLocal && username !== '',
    ignoreTLS: !isTls && isLocal,
    ...(username === '' ? {} : { auth }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

type SocketCallback = (error: Error | null, options?: { readonly connection: Socket }) => void;

/**
 * Returns the function with which nodemailer connects through the proxy. Operators choose the mail server, so the proxy
 * may resolve its name.
 */
const socketThrough =
  (proxy: OutboundProxy, host: string, port: number) => (_options: unknown, callback: SocketCallback) => {
    proxy.connect([host], port).then(
      (connection) => callback(null, { connection }),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  };

/**
 * The connection options for reaching a mail server: through the proxy, unless there is none or the mail server is on
 * this machine or excepted from the proxy; and with the certificates to trust, if there are any.
 */
export function outboundOptions(url: URL, { proxy, ca }: Outbound = { proxy: undefined, ca: undefined }) {
  const { host, port } = connectionTo(url);
  const addresses = isIP(host) === 0 ? [] : [{ address: host, family: isIP(host) }];
  const isDirect = proxy === undefined || isLoopbackHost(host) || proxy.isDirect(host, addresses);
  return {
    ...(ca === undefined ? {} : { tls: { ca: [...ca] } }),
    ...(isDirect ? {} : { getSocket: socketThrough(proxy, host, port) }),
  };
}

/** The only fields of an error that are logged, because its messages may contain addresses and parts of the mail. */
const failure = z
  .object({
    code: z.string().optional(),
    command: z.string().optional(),
    responseCode: z.number().optional(),
  })
  .catch({});

/**
 * Opens a mailer for one mail server. It sends one mail at a time, and drops a mail if MAX_WAITING others are not sent
 * yet.
 */
export async function openMailer({ url, from, log, outbound }: MailerOptions): Promise<Mailer> {
  // Loaded on demand: without a mail server, it is not needed.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...connectionTo(url), ...outboundOptions(url, outbound) });
  let sending = Promise.resolve();
  let waiting = 0;
  let unsent = 0;
  let isClosed = false;

  const drop = ({ subject }: Mail, reason: string) => {
    unsent += 1;
    log.warn({ subject }, `A mail was not sent, as ${reason}.`);
  };
  const sendNow = async (mail: Mail) => {
    if (isClosed) {
      drop(mail, 'the server stopped');
      return;
    }
    try {
      await transport.sendMail({ ...mail, from });
    } catch (error) {
      unsent += 1;
      log.error(
        { subject: mail.subject, ...failure.parse(error) },
        'A mail was not sent. Check SIGNPOST_SMTP_URL, and the log of the mail server.',
      );
    }
  };

  return {
    isOn: true,
    send(mail) {
      if (isClosed || waiting >= MAX_WAITING) {
        drop(mail, isClosed ? 'the server stopped' : 'too many wait');
        return;
      }
      waiting += 1;
      sending = sending.then(() => sendNow(mail)).finally(() => (waiting -= 1));
    },
    unsent: () => unsent,
    idle: () => sending,
    async close() {
      await settledWithin(sending, CLOSING_MS);
      isClosed = true;
      transport.close();
    },
  };
}
