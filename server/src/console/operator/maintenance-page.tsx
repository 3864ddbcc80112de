import { z } from 'zod';
import { chooseSignUp } from '../../accounts/sign-up.js';
import { type ListedSigningKey, listSigningKeys } from '../../tokens/rotate-keys.js';
import { Form } from '../layout/form.js';
import { Timestamp } from '../layout/formatting.js';
import { DoneNotice } from '../layout/notices.js';
import { operatorPage } from '../routing/page.js';
import { MAINTENANCE_PATH as PATH } from './account-route.js';
import { BACKUP_PATH } from './backup-page.js';
import { ROTATE_PATH } from './rotate-keys-page.js';

const SIGN_UP_PATH = `${PATH}/sign-up`;

const DONE = new Map([
  ['sign-up-open', 'Sign-up is open: anyone who can reach this server can make an account.'],
  ['sign-up-closed', 'Sign-up is closed: operators make the accounts.'],
  ['rotated', 'New keys sign and encrypt from now on. Nobody has to do anything.'],
]);

interface SignUpProps {
  readonly isOpen: boolean;
  readonly isConfigured: boolean;
}

function SignUpCard({ isOpen, isConfigured }: SignUpProps) {
  return (
    <section class="card" aria-labelledby="sign-up">
      <h2 id="sign-up">Sign-up</h2>
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
        <Form action={SIGN_UP_PATH}>
          <input type="hidden" name="state" value={isOpen ? 'closed' : 'open'} />
          <button type="submit" class="secondary">
            {isOpen ? 'Close sign-up' : 'Open sign-up'}
          </button>
        </Form>
      )}
    </section>
  );
}

function BackupCard({ lastBackupMs }: { readonly lastBackupMs: number }) {
  return (
    <section class="card" aria-labelledby="backup">
      <h2 id="backup">Backup</h2>
      <p>
        {lastBackupMs === 0 ? (
          'No backup was made on this server yet.'
        ) : (
          <>
            The last one was made on <Timestamp timeMs={lastBackupMs} />.
          </>
        )}
      </p>
      <a class="button secondary" href={BACKUP_PATH}>
        Make a backup and download it
      </a>
    </section>
  );
}

type SigningKeys = readonly ListedSigningKey[];

function KeysCard({ keys }: { readonly keys: SigningKeys }) {
  return (
    <section class="card" aria-labelledby="keys">
      <h2 id="keys">Signing and encryption keys</h2>
      {keys.length === 0 ? <p>None is needed yet: the first token makes them.</p> : null}
      <dl class="facts">
        {keys.map(({ id, createdAtMs, verifiesUntilMs }) => (
          <>
            <dt>{verifiesUntilMs === null ? 'Signs' : 'Verifies'}</dt>
            <dd>
              <code>{id}</code>{' '}
              {verifiesUntilMs === null ? (
                <>
                  since <Timestamp timeMs={createdAtMs} />
                </>
              ) : (
                <>
                  until <Timestamp timeMs={verifiesUntilMs} />
                </>
              )}
            </dd>
          </>
        ))}
      </dl>
      <a class="button secondary" href={ROTATE_PATH}>
        Rotate the keys
      </a>
    </section>
  );
}

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

/** Sign-up, backups, and the keys that sign and encrypt. */
export const maintenancePages = [maintenancePage, signUpChoice];
