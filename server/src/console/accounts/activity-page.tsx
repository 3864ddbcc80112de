import { listProjects } from '../../accounts/project.js';
import type { AuditEntry } from '../../audit/read-audit.js';
import { AuditTable } from '../layout/audit-table.js';
import { signedInPage } from '../routing/page.js';
import { YOUR_ACCOUNT } from '../layout/page-layout.js';

const SHOWN_ENTRIES = 50;

/**
 * Returns a function that changes an audit entry to what the account's owner may see: the actor, if there is one,
 * becomes "you", or "an operator" without an address. Leaves out the subject if it is the owner's account or if an
 * operator acted.
 */
const asOwnerSees =
  (ownId: string) =>
  (entry: AuditEntry): AuditEntry => {
    const { actor } = entry;
    const subject = entry.subject?.id === ownId ? null : entry.subject;
    if (actor === null) return { ...entry, subject };
    return actor.id === ownId
      ? { ...entry, subject, actor: { id: ownId, email: 'you' } }
      : { ...entry, subject: null, actor: { id: '', email: 'an operator' }, address: null };
  };

/** GET /account/activity: the latest audit entries by or about the signed-in person's account. */
export const activityPage = signedInPage('/account/activity', {
  get: async (context) => {
    const { id } = context.user.account;
    const [entries, projects] = await Promise.all([
      context.deps.audit.list({ accountId: id, limit: SHOWN_ENTRIES }),
      listProjects(context.domain, id),
    ]);
    const names = new Map(projects.map((project) => [project.id, project.name]));
    return context.render(
      { crumbs: [YOUR_ACCOUNT], title: 'Activity of your account' },
      <>
        <h1>Activity of your account</h1>
        <p class="muted">
          The last {SHOWN_ENTRIES} entries at most, the newest first. If you see a sign-in that was not yours,{' '}
          <a href="/password">change your password</a>.
        </p>
        <AuditTable entries={entries.map(asOwnerSees(id))} ownNames={names} />
      </>,
    );
  },
});
