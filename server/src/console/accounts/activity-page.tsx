import type { AuditEntry } from '../../audit/read-audit.js';
import { AuditTable } from '../layout/audit-table.js';
import { signedInPage } from '../routing/page.js';

const SHOWN_ENTRIES = 50;

/** Converts an audit entry to what the owner of the account may see: without an operator's name and address. */
const asOwnerSees =
  (ownId: string) =>
  (entry: AuditEntry): AuditEntry => {
    if (entry.actor === null || entry.actor.id === ownId) return entry;
    const subject = entry.subject?.id === ownId ? entry.subject : null;
    return { ...entry, actor: { id: '', email: 'an operator' }, subject, address: null };
  };

/** GET /activity: recent audit entries about the signed-in person's account. */
export const activityPage = signedInPage('/account/activity', {
  get: async (context) => {
    const { id } = context.user.account;
    const entries = await context.deps.audit.list({ accountId: id, limit: SHOWN_ENTRIES });
    return context.render(
      { title: 'What was done with your account' },
      <>
        <p class="crumbs">
          <a href="/account">Your account</a>
        </p>
        <h1>What was done with your account</h1>
        <p class="muted">
          The last {SHOWN_ENTRIES} entries at most, the newest first. If you see a sign-in that was not yours,{' '}
          <a href="/password">change your password</a>.
        </p>
        <AuditTable entries={entries.map(asOwnerSees(id))} />
      </>,
    );
  },
});
