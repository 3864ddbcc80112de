import { listOperatorEmails } from '../accounts/operators.js';
import type { RequestKind } from '../inbox/inbox-request.js';
import { NO_MAILER, openMailer } from '../mail/mailer.js';
import { createNotifications, type Notifications } from '../mail/notifications.js';
import type { Clock } from '../platform/clock.js';
import type { DisposalStack } from '../platform/disposal-stack.js';
import type { Log } from '../platform/log.js';
import type { Database } from '../storage/storage.js';
import { RecentEvents } from '../throttle/recent-events.js';
import { keepAlerting } from '../usage/limit-alerts.js';
import type { Config } from './config.js';

interface MailDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly publicUrl: () => string;
}

/** The mails of the server; those about limits go out by themselves, where mail is configured. */
export async function openNotifications(
  { mail, contact }: Pick<Config, 'mail' | 'contact'>,
  { db, clock, log, publicUrl }: MailDeps,
  open: DisposalStack,
): Promise<Notifications> {
  const mailer = mail === undefined ? NO_MAILER : await openMailer({ ...mail, log });
  open.add(() => mailer.close());
  const notifications = createNotifications({ mailer, publicUrl, contact: contact?.label });
  if (!mailer.isOn) return notifications;
  const alerting = keepAlerting(
    db,
    clock,
    (email, alerts) => notifications.limits(email, alerts),
    (error) =>
      log.warn(
        { err: error },
        'Whether limits are used up cannot be read for mail; this is tried again in a minute.',
      ),
  );
  open.add(() => alerting.stop());
  return notifications;
}

const HOUR_MS = 3_600_000;
/** A person who fills the inbox fills no mailbox with it. */
const MAX_MAILS_AN_HOUR = 20;

interface InboxNewsDeps extends Pick<MailDeps, 'db' | 'log'> {
  readonly notifications: Notifications;
  readonly monotonicMs: () => number;
}

/** What the inbox tells: to the operators by mail, without anybody waiting for it, or to the log. */
export function createInboxNews({ db, log, notifications, monotonicMs }: InboxNewsDeps) {
  const recent = new RecentEvents({ max: MAX_MAILS_AN_HOUR, windowMs: HOUR_MS, monotonicMs });

  const tell = async (kind: RequestKind, email: string) => {
    if (!notifications.isOn || recent.add('inbox') > 0) return;
    notifications.asked(await listOperatorEmails(db), kind, email);
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
