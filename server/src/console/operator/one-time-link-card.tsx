import type { LinkedAccount } from '../../accounts/account-links.js';
import { linkPath } from '../../accounts/one-time-links.js';
import { CopyValue } from '../layout/copyable.js';
import { Timestamp } from '../layout/formatting.js';
import type { PageContext } from '../routing/page-context.js';

/** Mails a link to the account's owner if mail is configured. Returns the link's URL. */
export function handOver({ deps }: PageContext, { account, link }: LinkedAccount): string {
  const url = `${deps.publicUrl()}${linkPath(link)}`;
  deps.notifications.link(account.email, { url, kind: link.kind });
  return url;
}

interface OneTimeLinkCardProps {
  readonly linked: LinkedAccount;
  readonly url: string;
  /** Whether the link was mailed as well. */
  readonly isMailed: boolean;
}

/** Shows a one-time link. It is never shown again. */
export function OneTimeLinkCard({ linked: { account, link }, url, isMailed }: OneTimeLinkCardProps) {
  return (
    <section class="card">
      <h2>Link for {account.email}</h2>
      <p class="notice">
        {isMailed ? (
          <>
            It is on its way to <strong>{account.email}</strong> by mail. If it does not arrive, pass it on
            yourself: it is shown only now.
          </>
        ) : (
          'It is shown only now. Pass it on to the owner in private: the first person who opens it can choose the password.'
        )}
      </p>
      <CopyValue id="link" label="the link" value={url} />
      <p>
        It works once, until <Timestamp timeMs={link.expiresAtMs} />.
      </p>
    </section>
  );
}
