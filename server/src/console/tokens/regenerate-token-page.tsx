import { LIMITS } from '@signpost/contract';
import { regenerateTokens } from '../../tokens/account-tokens.js';
import { Form } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';

const showConfirmation = (context: SignedInContext) =>
  context.render(
    { title: 'Regenerate the refresh token', width: 'narrow' },
    <>
      <p class="crumbs">
        <a href="/apikeys">Your tokens</a>
      </p>
      <h1>Regenerate the refresh token?</h1>
      <p>
        The refresh token that you have now stops working <strong>at once</strong>. Every program that uses it
        is refused until you give it the new one. This cannot be undone.
      </p>
      <p>
        Access tokens that were already given out keep working until they end, at most{' '}
        {LIMITS.accessTokenLifetimeMinutes} minutes. To stop those at once too, ask the operator of this
        server to turn off API access for <strong>{context.user.account.email}</strong>, and to leave it off
        for that long.
      </p>
      <Form action="/apikeys/regenerate">
        <p class="actions">
          <button type="submit" class="danger-button">
            Regenerate it
          </button>
          <a class="button secondary" href="/apikeys">
            Keep it as it is
          </a>
        </p>
      </Form>
    </>,
  );

/** GET and POST /apikeys/regenerate: asks for confirmation, then makes a new refresh token. */
export const regenerateTokenPage = signedInPage('/apikeys/regenerate', {
  get: (context) =>
    context.user.account.hasApiAccess ? showConfirmation(context) : context.redirect('/apikeys'),
  post: async (context) => {
    const { account } = context.user;
    if (!account.hasApiAccess) return context.redirect('/apikeys');
    await regenerateTokens(context.domain, account.id);
    return context.redirect('/apikeys?done=regenerated');
  },
});
