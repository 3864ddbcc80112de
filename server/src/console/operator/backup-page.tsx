import { confirmationPage, findNothing, verifyTypedPassword } from '../routing/confirmation-page.js';
import { MAINTENANCE_PATH } from './account-route.js';

export const BACKUP_PATH = `${MAINTENANCE_PATH}/backup`;

/** GET and POST /operator/maintenance/backup: asks for the password, and sends a backup as a file. */
export const backupPage = confirmationPage('operator', BACKUP_PATH, {
  find: findNothing,
  ask: ({ deps }) => ({
    title: 'Back up this installation',
    question: 'Back up this installation',
    button: 'Make the backup and download it',
    backTo: MAINTENANCE_PATH,
    isHarmless: true,
    asksPassword: true,
    children: (
      <>
        <p>
          The file has all accounts, projects, keys, tokens, usage and the audit, as they are at this moment.
          Keys, tokens and passwords are in it as hashes, or encrypted. Keep it where nobody else can read it.
        </p>
        <p class="notice">
          The secret of the installation is not in it, and without the secret nobody can restore the backup:
          keep a copy of {deps.secretPlace} in another place. The postcode directory is not in it either:
          import it again.
        </p>
        <p class="muted">
          <code>signpost restore FILE</code> puts it back.
        </p>
      </>
    ),
  }),
  act: async (context) => {
    await verifyTypedPassword(context);
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
