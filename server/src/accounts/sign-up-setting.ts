import type { Actor, Audit } from '../audit/audit.js';
import { ServiceError } from '../platform/errors.js';
import { INSTALLATION_ID, type InstallationRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

interface SignUpSettingDeps {
  readonly db: Database;
  readonly audit: Audit;
  /** What the configuration says, or what holds where nobody says anything. */
  readonly isSignUpOpen: boolean;
  /** Whether that is what nobody said, so that operators may choose. */
  readonly isSignUpDefault: boolean;
}

/** Whether sign-up is open by what an operator chose; undefined where none did. */
export async function readSignUpChoice(db: Database): Promise<boolean | undefined> {
  const row = await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first('sign_up');
  return typeof row?.sign_up === 'string' ? row.sign_up === 'open' : undefined;
}

/** Whether strangers may make accounts: as the configuration says, else as an operator chose, for all servers. */
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
