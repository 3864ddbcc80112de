import { LIMITS } from '@signpost/contract';
import { regenerateTokens } from '../../tokens/account-tokens.js';
import { confirmationPage, findNothing } from '../routing/confirmation-page.js';

/** GET and POST /apikeys/regenerate: asks for confirmation, then replaces the refresh token. */
export const regenerateTokenPage = confirmationPage('signedIn', '/apikeys/regenerate', {
  find: findNothing,
  instead: (context) => (context.user.account.hasApiAccess ? undefined : context.redirect('/apikeys')),
  ask: ({ user }) => ({
    title: 'Regenerate the refresh token',
    button: 'Regenerate it',
    backTo: '/apikeys',
    children: (
      <>
        <p>
          The refresh token that you have now stops working <strong>at once</strong>. Every program that uses
          it is refused until you give it the new one. This cannot be undone.
        </p>
        <p>
          Access tokens that were already given out keep working until they end, at most{' '}
          {LIMITS.accessTokenLifetimeMinutes} minutes. To stop those at once too, ask the operator of this
          server to turn off API access for <strong>{user.account.email}</strong>, and to leave it off for
          that long.
        </p>
      </>
    ),
  }),
  act: async (context) => {
    await regenerateTokens(context.domain, context.user.account.id);
    return context.redirect('/apikeys?done=regenerated');
  },
});
