import { type FormProblems, problemsOf } from '../layout/form-data.js';
import type { SignedInContext } from '../routing/page-context.js';
import { operatorPage } from '../routing/page.js';
import { MAINTENANCE_PATH } from './account-route.js';
import { showPasswordForm, verifyTypedPassword } from './password-form.js';

export const BACKUP_PATH = `${MAINTENANCE_PATH}/backup`;

const showForm = (context: SignedInContext, problems?: FormProblems) =>
  showPasswordForm({
    context,
    title: 'Back up this installation',
    action: BACKUP_PATH,
    button: 'Make the backup and download it',
    backTo: MAINTENANCE_PATH,
    problems,
    children: (
      <>
        <p>
          The file has all accounts, projects, keys, tokens, usage and the audit, as they are at this moment.
          Keys, tokens and passwords are in it as hashes, or encrypted. Keep it where nobody else can read it.
        </p>
        <p class="notice">
          The secret of the installation is not in it, and without the secret nobody can restore the backup:
          keep a copy of {context.deps.secretPlace} in another place. The postcode directory is not in it
          either: import it again.
        </p>
        <p class="muted">
          <code>signpost restore FILE</code> puts it back.
        </p>
      </>
    ),
  });

/** GET and POST /operator/maintenance/backup: asks for the password, and sends a backup as a file. */
export const backupPage = operatorPage(BACKUP_PATH, {
  get: (context) => showForm(context),
  post: async (context) => {
    try {
      await verifyTypedPassword(context);
    } catch (error) {
      return showForm(context, problemsOf(error));
    }
    const { name, bytes, body } = await context.deps.backups.make(context.actor);
    return context.reply
      .headers({
        'Content-Type': 'application/gzip',
        'Content-Length': bytes,
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store',
      })
      .send(body);
  },
});
