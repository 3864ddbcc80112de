import { z } from 'zod';
import { chooseSignUp } from '../../accounts/sign-up.js';
import { type ListedSigningKey, listSigningKeys, rotateKeys } from '../../tokens/rotate-keys.js';
import { Timestamp } from '../layout/formatting.js';
import { DoneNotice } from '../layout/notices.js';
import { confirmationPage, findNothing, verifyTypedPassword } from '../routing/confirmation-page.js';
import { operatorPage } from '../routing/page.js';
import { MAINTENANCE_PATH as PATH } from './account-route.js';
import { Card } from '../layout/card.js';
import { Actions } from '../layout/actions.js';
import { ButtonForm } from '../layout/form.js';
import { Facts } from '../layout/facts.js';

const SIGN_UP_PATH = `${PATH}/sign-up`;
const BACKUP_PATH = `${PATH}/backup`;
const ROTATE_PATH = `${PATH}/rotate-keys`;

const DONE = new Map([
  ['sign-up-open', 'Sign-up is open: anyone who can reach this server can make an account.'],
  ['sign-up-closed', 'Sign-up is closed: operators make the accounts.'],
  ['rotated', 'New keys sign and encrypt from now on. Nobody has to do anything.'],
]);

function SignUpCard({ isOpen, isConfigured }: { readonly isOpen: boolean; readonly isConfigured: boolean }) {
  return (
    <Card id="sign-up" title="Sign-up">
      <p>
        {isOpen
          ? 'Open: anyone who can reach this server can make an account, with keys that have the default limits.'
          : 'Closed: operators make the accounts.'}
      </p>
      {isConfigured ? (
        <p class="muted">
          <code>SIGNPOST_SIGNUP</code> decides this. To choose it here, remove it and restart the server.
        </p>
      ) : (
        <ButtonForm action={SIGN_UP_PATH} sends={{ state: isOpen ? 'closed' : 'open' }}>
          {isOpen ? 'Close sign-up' : 'Open sign-up'}
        </ButtonForm>
      )}
    </Card>
  );
}

const BackupCard = ({ lastBackupMs }: { readonly lastBackupMs: number }) => (
  <Card id="backup" title="Backup">
    <p>
      {lastBackupMs === 0 ? (
        'No backup was made on this server yet.'
      ) : (
        <>
          The last one was made on <Timestamp timeMs={lastBackupMs} />.
        </>
      )}
    </p>
    <Actions links={[[BACKUP_PATH, 'Make a backup and download it']]} />
  </Card>
);

const KeysCard = ({ keys }: { readonly keys: readonly ListedSigningKey[] }) => (
  <Card id="keys" title="Signing and encryption keys">
    {keys.length === 0 && <p>None is needed yet: the first token makes them.</p>}
    <Facts
      facts={keys.map(({ id, createdAtMs, verifiesUntilMs }) => [
        verifiesUntilMs === null ? 'Signs' : 'Verifies',
        <>
          <code>{id}</code> {verifiesUntilMs === null ? 'since' : 'until'}{' '}
          <Timestamp timeMs={verifiesUntilMs ?? createdAtMs} />
        </>,
      ])}
    />
    <Actions links={[[ROTATE_PATH, 'Rotate the keys']]} />
  </Card>
);

const maintenancePage = operatorPage(PATH, {
  menuLabel: 'Maintenance',
  get: async (context) => {
    const { signUp, backups } = context.deps;
    const [lastBackupMs, keys] = await Promise.all([backups.lastBackupMs(), listSigningKeys(context.domain)]);
    return context.render(
      { title: 'Maintenance' },
      <>
        <h1>Maintenance</h1>
        <DoneNotice sentences={DONE} />
        <SignUpCard isOpen={context.isSignUpOpen} isConfigured={!signUp.isSignUpDefault} />
        <BackupCard lastBackupMs={lastBackupMs} />
        <KeysCard keys={keys} />
      </>,
    );
  },
});

const SIGN_UP_FORM = z.object({
  state: z.enum(['open', 'closed'], { error: 'The state of sign-up must be "open" or "closed".' }),
});

const signUpChoice = operatorPage(SIGN_UP_PATH, {
  post: async (context) => {
    const { state } = context.readForm(SIGN_UP_FORM);
    await chooseSignUp(context.domain, context.deps.signUp, state === 'open');
    return context.redirect(`${PATH}?done=sign-up-${state}`);
  },
  leadsTo: PATH,
});

/** GET and POST /operator/maintenance/backup: asks for the password, and sends a backup as a file. */
const backupPage = confirmationPage('operator', BACKUP_PATH, {
  find: findNothing,
  ask: ({ deps }) => ({
    title: 'Back up this installation',
    question: 'Back up this installation',
    button: 'Make the backup and download it',
    backTo: PATH,
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
          keep {deps.secretToKeep} in another place. The postcode directory is not in it either: import it
          again.
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

/** GET and POST /operator/maintenance/rotate-keys: asks for the password, then makes new keys that sign and encrypt. */
const rotateKeysPage = confirmationPage('operator', ROTATE_PATH, {
  find: findNothing,
  ask: () => ({
    title: 'Rotate the signing and encryption keys',
    button: 'Make new keys',
    backTo: PATH,
    isHarmless: true,
    asksPassword: true,
    children: (
      <>
        <p>
          New keys sign access tokens and encrypt refresh tokens and second factors from now on, on all
          servers at once. API keys, refresh tokens and passwords stay as they are.
        </p>
        <p>
          Access tokens that the current key signed stay valid until they end, within three hours. Services
          that verify tokens themselves find the new key at <code>/.well-known/jwks.json</code>.
        </p>
      </>
    ),
  }),
  act: async (context) => {
    await verifyTypedPassword(context);
    await rotateKeys(context.domain);
    return context.redirect(`${PATH}?done=rotated`);
  },
});

/** The pages for sign-up, backups, and the keys that sign and encrypt. */
export const maintenancePages = [maintenancePage, signUpChoice, backupPage, rotateKeysPage];
