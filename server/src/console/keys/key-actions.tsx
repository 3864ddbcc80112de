import { disableKey, enableKey } from '../../keys/change-key.js';
import { type DisabledBy, isLive, type Key } from '../../keys/key.js';
import { revokeKey } from '../../keys/revoke-key.js';
import { confirmationPage } from '../routing/confirmation-page.js';
import type { PageContext, SignedInContext } from '../routing/page-context.js';
import { operatorPage, type Page, signedInPage } from '../routing/page.js';
import { keyLabel } from './key-display.js';
import { Actions } from '../layout/actions.js';
import { ButtonForm } from '../layout/form.js';

interface KeyActionsProps {
  readonly ownKey: Key;
  readonly path: string;
  readonly by: DisabledBy;
  readonly canBeReplaced?: boolean;
}

/**
 * The buttons that act on a key; nothing if it is revoked or expired. An owner has no button to enable a key that the
 * operator disabled.
 */
export function KeyActions({ ownKey, path, by, canBeReplaced = false }: KeyActionsProps) {
  if (!isLive(ownKey)) return null;
  const { state, disabledBy } = ownKey;
  const isDisabled = state === 'disabled';
  return (
    <div class="actions">
      {disabledBy === 'operator' && by === 'owner' ? null : (
        <ButtonForm action={`${path}/${isDisabled ? 'enable' : 'disable'}`}>
          {isDisabled ? 'Enable' : 'Disable for a while'}
        </ButtonForm>
      )}
      <Actions
        links={[
          canBeReplaced && [`${path}/replace`, 'Replace…'],
          [`${path}/revoke`, 'Revoke…', 'destructive'],
        ]}
      />
    </div>
  );
}

/** The outcome of an action on a key; `ended` if the key was already revoked or expired: then nothing changed. */
type Outcome = 'disabled' | 'enabled' | 'revoked' | 'ended';

interface KeyRoutes {
  readonly by: DisabledBy;
  readonly path: string;
  readonly find: (context: SignedInContext) => Promise<Key>;
  readonly resultPath: (key: Key, outcome: Outcome) => string;
  readonly backTo: (context: PageContext) => string;
}

/** The pages that disable, enable and revoke a key. Only revoking asks for confirmation: it cannot be undone. */
export function keyActionPages({ by, path, find, resultPath, backTo }: KeyRoutes): readonly Page[] {
  const page = by === 'operator' ? operatorPage : signedInPage;
  const changeTo = (outcome: 'disabled' | 'enabled', change: typeof disableKey) => ({
    post: async (context: SignedInContext) => {
      const key = await find(context);
      if (!isLive(key)) return context.redirect(resultPath(key, 'ended'));
      await change(context.domain, key, by);
      return context.redirect(resultPath(key, outcome));
    },
    leadsTo: backTo,
  });
  return [
    page(`${path}/disable`, changeTo('disabled', disableKey)),
    page(`${path}/enable`, changeTo('enabled', enableKey)),
    confirmationPage(by === 'operator' ? 'operator' : 'signedIn', `${path}/revoke`, {
      find,
      instead: (context, key) => (isLive(key) ? undefined : context.redirect(resultPath(key, 'ended'))),
      ask: (context, key) => ({
        title: `Revoke ${key.prefix}`,
        question: 'Revoke this key?',
        button: 'Revoke the key',
        backTo: backTo(context),
        children: (
          <>
            <p>
              <strong>{keyLabel(key)}</strong> of the project {key.projectName}
              {by === 'operator' ? `, ${key.accountEmail}` : ''}.
            </p>
            <p>
              Every program that uses it is refused from its next request on. A revoked key cannot be brought
              back; its usage stays counted.
            </p>
          </>
        ),
      }),
      act: async (context, key) => {
        await revokeKey(context.domain, key);
        return context.redirect(resultPath(key, 'revoked'));
      },
    }),
  ];
}
