import { listOperatorEmails } from '../accounts/account-state.js';
import type { RequestKind } from '../inbox/inbox-request.js';
import { NO_MAILER, openMailer } from '../mail/mailer.js';
import { createNotifications, type Notifications } from '../mail/notifications.js';
import type { DisposalStack } from '../platform/disposal-stack.js';
import { openOutbound } from '../platform/outbound/outbound-proxy.js';
import type { Log } from '../platform/log.js';
import { HOUR_MS } from '../platform/time-units.js';
import type { Database } from '../storage/storage.js';
import { RecentEvents } from '../throttle/recent-events.js';
import type { Config } from './config.js';

interface MailDeps {
  readonly db: Database;
  readonly log: Log;
  readonly publicUrl: () => string;
}

/** Opens the notifications that the server sends by mail. Without a configured mail server, they send nothing. */
export async function openNotifications(
  { mail, contact, outbound }: Pick<Config, 'mail' | 'contact' | 'outbound'>,
  { log, publicUrl }: Pick<MailDeps, 'log' | 'publicUrl'>,
  open: DisposalStack,
): Promise<Notifications> {
  const mailer =
    mail === undefined ? NO_MAILER : await openMailer({ ...mail, log, outbound: openOutbound(outbound) });
  open.add(() => mailer.close());
  return createNotifications({ mailer, publicUrl, contact: contact?.label });
}

/** Somebody who floods the inbox must not flood the operators' mailboxes as well. */
const MAX_MAILS_AN_HOUR = 20;

interface InboxNewsDeps extends Pick<MailDeps, 'db' | 'log'> {
  readonly notifications: Notifications;
  readonly monotonicMs: () => number;
}

/**
 * Returns a function that mails the operators about a new request in the inbox, at most 20 times an hour, and one that
 * logs a full inbox. No request waits for the mail.
 */
export function createInboxNews({ db, log, notifications, monotonicMs }: InboxNewsDeps) {
  const recent = new RecentEvents({ max: MAX_MAILS_AN_HOUR, windowMs: HOUR_MS, monotonicMs });

  const tell = async (kind: RequestKind, email: string) => {
    if (!notifications.isOn || recent.add('inbox') > 0) return;
    notifications.requestReceived(await listOperatorEmails(db), kind, email);
  };

  return {
    onNew: (kind: RequestKind, email: string): void => {
      tell(kind, email).catch((error: unknown) =>
        log.warn({ err: error }, 'The mail to the operators was not sent.'),
      );
    },
    onFull: (kind: RequestKind): void =>
      log.warn({ kind }, "A request was not kept: the operator's inbox is full. Decide what waits there."),
  };
}
