import type { ComponentChildren } from 'preact';
import type { LinkedAccount } from '../../accounts/account-links.js';
import { linkPath } from '../../accounts/one-time-links.js';
import { type Action, Actions } from '../layout/actions.js';
import { CopyValue } from '../layout/copyable.js';
import { Timestamp } from '../layout/formatting.js';
import type { SignedInContext } from '../routing/page-context.js';

/** Shows a new password or link. It is never shown again. */
export const showOnce = (
  context: SignedInContext,
  title: string,
  secret: ComponentChildren,
  links: readonly Action[],
) =>
  context.render(
    { title },
    <>
      <h1>{title}</h1>
      {secret}
      <Actions links={links} />
    </>,
  );

/** Mails a one-time link to the account's owner if mail can reach the owner, and returns a card with the link. */
export function oneTimeLinkCard({ deps }: SignedInContext, { account, link }: LinkedAccount) {
  const { email } = account;
  const url = `${deps.publicUrl()}${linkPath(link)}`;
  deps.notifications.link(email, { url, kind: link.kind });
  return (
    <section class="card">
      <h2>Link for {email}</h2>
      <p class="notice">
        {deps.notifications.reaches(email)
          ? `It is on its way to ${email} by mail. If it does not arrive, pass it on yourself: it is shown only now.`
          : 'It is shown only now. Pass it on to the owner in private: the first person who opens it can choose the password.'}
      </p>
      <CopyValue id="link" label="the link" value={url} />
      <p>
        It works once, until <Timestamp timeMs={link.expiresAtMs} />.
      </p>
    </section>
  );
}
