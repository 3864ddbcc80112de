import { canGetMail } from '../mail/notifications.js';
import { MailProblem, mailServerName, verifyMailServer } from '../mail/verify-mail.js';
import type { Finding } from '../platform/finding.js';
import { isLoopbackHost } from '../platform/networks.js';
import { openOutbound } from '../platform/outbound/outbound-proxy.js';
import { DIRECT } from '../platform/outbound/outbound-settings.js';
import { MINUTE_MS } from '../platform/time-units.js';
import type { Config } from './config.js';
import { localUrl } from './local-url.js';

const NAME = 'Mail';

const ADVICE = {
  unreachable:
    'Check that the mail server runs, and that SIGNPOST_SMTP_URL has its name and port. Until then only operators see the links.',
  encryption:
    'Write smtps:// for TLS from the start and smtp:// for STARTTLS, and name an authority of your own in SIGNPOST_EXTRA_CA_FILE.',
  password:
    'Correct the user and the password in SIGNPOST_SMTP_URL, a % or @ in them written as %25 and %40.',
} as const;

type MailConfig = Pick<Config, 'mail'> & Partial<Pick<Config, 'outbound'>>;

/**
 * Whether mail can be sent: connects to the mail server and signs in, but sends nothing. The finding is "works" also if
 * no mail server is configured.
 */
export async function mailFinding({ mail, outbound }: MailConfig, timeoutMs?: number): Promise<Finding> {
  if (mail === undefined) {
    const message =
      'not sent, as SIGNPOST_SMTP_URL is not set: operators pass links on, and look into the inbox';
    return { name: NAME, state: 'works', message };
  }
  const { url, from } = mail;
  try {
    await verifyMailServer(url, timeoutMs, openOutbound(outbound ?? DIRECT));
    return { name: NAME, state: 'works', message: `sent by ${mailServerName(url)}, from ${from}` };
  } catch (error) {
    if (!(error instanceof MailProblem)) throw error;
    return { name: NAME, state: 'does not work', message: error.message, advice: ADVICE[error.why] };
  }
}

/**
 * Whether mail about the inbox reaches an operator. No finding if an operator gets it, if no mail is sent, or if there
 * is no operator.
 */
export function inboxMailFinding(
  { mail, publicUrl }: Pick<Config, 'mail' | 'publicUrl'>,
  operators: readonly string[],
): readonly Finding[] {
  if (mail === undefined || operators.length === 0) return [];
  if (operators.some(canGetMail)) return [];
  return [
    {
      name: 'Mail to operators',
      state: 'could be better',
      message: `dropped, because no mail reaches ${operators.join(', ')}: nobody hears of requests in the inbox`,
      advice: `Sign in as ${operators[0] ?? ''}, and enter your own e-mail at ${publicUrl ?? ''}/account. Or make another operator: npx signpost account invite --operator --email you@example.org`,
    },
  ];
}

/**
 * Returns a finding if the links in mails can be opened only on this machine. Returns none if no mail is sent, or if a
 * public URL is configured, whatever it is.
 */
export function mailedLinksFinding({
  mail,
  publicUrl,
  host,
  port,
}: Pick<Config, 'mail' | 'publicUrl' | 'host' | 'port'>): readonly Finding[] {
  if (mail === undefined || publicUrl !== undefined) return [];
  const url = localUrl(host, port);
  if (!isLoopbackHost(new URL(url).hostname)) return [];
  return [
    {
      name: 'Links in mails',
      state: 'could be better',
      message: `they begin with ${url}, which only this machine can open`,
      advice: 'Set SIGNPOST_PUBLIC_URL to the address at which people reach the server.',
    },
  ];
}

const CACHE_MS = MINUTE_MS;

/** Makes a function like `mailFinding` that caches the finding for a minute, because pages ask for it repeatedly. */
export function cachedMailFinding(config: MailConfig, monotonicMs: () => number): () => Promise<Finding> {
  let cached: { readonly finding: Promise<Finding>; readonly untilMs: number } | undefined;
  return () => {
    if (cached === undefined || monotonicMs() >= cached.untilMs)
      cached = { finding: mailFinding(config), untilMs: monotonicMs() + CACHE_MS };
    return cached.finding;
  };
}
