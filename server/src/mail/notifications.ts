import type { LimitAlert } from '../usage/limit-alerts.js';
import type { Mailer } from './mailer.js';

/** A one-time link for somebody. */
interface MailedLink {
  readonly url: string;
  readonly kind: 'invitation' | 'reset';
}

/** The kinds of requests to the operator, as part of a sentence. */
const REQUEST_TEXTS = {
  access: 'asks for an account',
  password: 'has forgotten the password and asks for a new link',
  limits: 'asks for higher limits',
  apiAccess: 'asks for API access',
} as const;

const INBOX_PATH = '/operator/inbox';

const LINK_TEXTS = {
  invitation: {
    subject: 'Your account at Signpost',
    text: 'You have an account at Signpost. Choose your password within seven days. This link works once:',
  },
  reset: {
    subject: 'A new password for Signpost',
    text: 'Choose a new password within an hour. This link works once:',
  },
} as const;

/**
 * The line about one alert. It contains no text that the owner chose, because the owner may not have proved that the
 * e-mail address is theirs.
 */
const alertLine = ({ keyPrefix, used, limit, percent }: LimitAlert) => {
  const whose = keyPrefix === null ? 'The account as a whole' : `Key ${keyPrefix}`;
  const state = percent >= 100 ? 'has no requests left today' : 'is close to its limit';
  return `${whose} ${state}: ${used} of ${limit} requests are used. The day ends at midnight UTC.`;
};

/** Which way an operator changed limits. */
export type LimitsDirection = 'raised' | 'lowered' | 'changed' | 'unchanged';

interface NotificationsDeps {
  readonly mailer: Mailer;
  /** The address of the server, without a trailing slash. */
  readonly publicUrl: () => string;
  /** How to reach the operator, as text; undefined if it is not configured. */
  readonly contact: string | undefined;
}

/** Whether mail to an address may arrive. Mail to an address at localhost cannot. */
export const canGetMail = (email: string): boolean => !email.endsWith('@localhost');

/** Creates the functions that send the mails of the server. They send nothing if no mail server is configured. */
export function createNotifications({ mailer, publicUrl, contact }: NotificationsDeps) {
  const reaches = (email: string) => mailer.isOn && canGetMail(email);

  const send = (to: string, subject: string, paragraphs: readonly (string | undefined)[]) => {
    if (!reaches(to)) return;
    const end = [`Signpost at ${publicUrl()}`, contact === undefined ? undefined : `Questions: ${contact}`];
    const text = [...paragraphs, end.filter((line) => line !== undefined).join('\n')]
      .filter((paragraph) => paragraph !== undefined)
      .join('\n\n');
    mailer.send({ to, subject, text: `${text}\n` });
  };

  return {
    isOn: mailer.isOn,
    unsent: () => mailer.unsent(),
    /** Resolves when every mail was sent, or could not be. */
    idle: () => mailer.idle(),
    /** Whether a mail server is configured and mail to this address can arrive. */
    reaches,

    /** Tells the operators about a new request. */
    requestReceived(operators: readonly string[], kind: keyof typeof REQUEST_TEXTS, email: string): void {
      for (const to of operators) {
        send(to, 'Signpost: a request is waiting for you', [
          `${email} ${REQUEST_TEXTS[kind]}.`,
          `Approve or refuse it in the inbox: ${publicUrl()}${INBOX_PATH}`,
        ]);
      }
    },

    link(to: string, { url, kind }: MailedLink): void {
      const { subject, text } = LINK_TEXTS[kind];
      send(to, subject, [`${text}\n${url}`, 'If you did not ask for this, ignore this mail.']);
    },

    limitsSet(to: string, direction: LimitsDirection, limits: string): void {
      const words = direction === 'unchanged' ? 'stay as they are' : `were ${direction}`;
      send(to, `Signpost: your limits ${words}`, [`From now on: ${limits}.`]);
    },

    apiAccessEnabled(to: string): void {
      send(to, 'Signpost: you have API access', [`Your tokens are at ${publicUrl()}/apikeys`]);
    },

    /** Tells a person that their request was refused, and what the operator wrote about it. */
    requestRefused(to: string, answer: string): void {
      send(to, 'Signpost: your request was refused', ['The operator writes:', answer]);
    },

    limits(to: string, alerts: readonly LimitAlert[]): void {
      const isUsedUp = alerts.some(({ percent }) => percent >= 100);
      send(
        to,
        isUsedUp ? "Signpost: a day's limit is used up" : "Signpost: a day's limit is almost used up",
        [
          ...alerts.map(alertLine),
          `Ask for higher limits: ${publicUrl()}/higher-limits`,
          `Turn this mail off: ${publicUrl()}/account`,
        ],
      );
    },
  };
}

export type Notifications = ReturnType<typeof createNotifications>;
