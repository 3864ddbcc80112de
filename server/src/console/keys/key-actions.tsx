import { disableKey, enableKey } from '../../keys/change-key.js';
import { type DisabledBy, isLive, type Key } from '../../keys/key.js';
import { revokeKey } from '../../keys/revoke-key.js';
import { Form } from '../layout/form.js';
import { confirmationPage } from '../routing/confirmation-page.js';
import type { PageContext, SignedInContext } from '../routing/page-context.js';
import { operatorPage, type Page, signedInPage } from '../routing/page.js';
import { keyLabel } from './key-display.js';

interface KeyActionsProps {
  readonly ownKey: Key;
  /** The base path of the actions. */
  readonly path: string;
  readonly by: DisabledBy;
  readonly canBeReplaced?: boolean;
}

/** The actions on a key that has not ended. Operators see many keys on a page, so each action names its key. */
export function KeyActions({ ownKey, path, by, canBeReplaced = false }: KeyActionsProps) {
  const { prefix, state, disabledBy } = ownKey;
  const isOperator = by === 'operator';
  const which = isOperator ? <span class="visually-hidden"> {prefix}</span> : null;
  const size = isOperator ? 'small ' : '';
  return (
    <div class="actions">
      {canBeReplaced ? (
        <a class="button secondary" href={`${path}/replace`}>
          Replace…
        </a>
      ) : null}
      {disabledBy === 'operator' && !isOperator ? null : (
        <Form action={`${path}/${state === 'disabled' ? 'enable' : 'disable'}`}>
          <button type="submit" class={`${size}secondary`}>
            {state === 'disabled' ? 'Enable' : 'Disable for a while'}
            {which}
          </button>
        </Form>
      )}
      <a class={`button ${size}destructive`} href={`${path}/revoke`}>
        Revoke…
        {which}
      </a>
    </div>
  );
}

/** The outcome of an action on a key; `ended` if the key had already ended, so that nothing changed. */
type Outcome = 'disabled' | 'enabled' | 'revoked' | 'ended';

/** The actions on a key, for its owner or for operators. */
interface KeyRoutes {
  readonly by: DisabledBy;
  /** The base path of the actions, with the parameters of the route. */
  readonly path: string;
  readonly find: (context: SignedInContext) => Promise<Key>;
  /** The page that confirms the outcome. */
  readonly resultPath: (key: Key, outcome: Outcome) => string;
  /** The page that lists the actions. */
  readonly backTo: (context: PageContext) => string;
}

/**
 * The pages that disable, enable and revoke a key. Only revoking asks for confirmation, because it cannot be undone.
 */
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
