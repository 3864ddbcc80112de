import type { Actor, Audit } from '../audit/audit.js';
import { ServiceError } from '../platform/errors.js';
import { INSTALLATION_ID, type InstallationRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

interface SignUpSettingDeps {
  readonly db: Database;
  readonly audit: Audit;
  /** The configured value, or the default. */
  readonly isSignUpOpen: boolean;
  /** Whether the value is the default. If so, operators may choose. */
  readonly isSignUpDefault: boolean;
}

/** Whether an operator opened sign-up; undefined if none has chosen. */
export async function readSignUpChoice(db: Database): Promise<boolean | undefined> {
  const row = await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first('sign_up');
  return typeof row?.sign_up === 'string' ? row.sign_up === 'open' : undefined;
}

/** Whether strangers may make accounts: as configured, or else as an operator chose, for all servers. */
export const createSignUpSetting = ({ db, audit, isSignUpOpen, isSignUpDefault }: SignUpSettingDeps) => ({
  isConfigured: !isSignUpDefault,

  isOpen: async (): Promise<boolean> =>
    isSignUpDefault ? ((await readSignUpChoice(db)) ?? isSignUpOpen) : isSignUpOpen,

  async choose(actor: Actor, isOpen: boolean): Promise<void> {
    if (!isSignUpDefault) {
      throw new ServiceError(
        'invalidRequest',
        'SIGNPOST_SIGNUP decides whether sign-up is open. To choose here, remove it and restart the server.',
      );
    }
    const choice = isOpen ? 'open' : 'closed';
    await audit.perform(
      db,
      actor,
      (transaction) =>
        transaction<InstallationRow>('installation')
          .where({ id: INSTALLATION_ID })
          .update({ sign_up: choice }),
      { kind: isOpen ? 'sign-up.opened' : 'sign-up.closed' },
    );
  },
});

export type SignUpSetting = ReturnType<typeof createSignUpSetting>;
