import { LIMITS } from '@signpost/contract';
import { Form } from '../layout/form.js';
import type { PageRouter, SignedInContext } from '../routing/page-router.js';

const showConfirmation = (visit: SignedInContext) =>
  visit.page(
    { title: 'Regenerate the refresh token', width: 'narrow' },
    <>
      <p class="crumbs">
        <a href="/apikeys">Your tokens</a>
      </p>
      <h1>Regenerate the refresh token?</h1>
      <p>
        The refresh token that you have now stops working <strong>at once</strong>. Every program that uses it
        is refused until you give it the new one. This cannot be taken back.
      </p>
      <p>
        Access tokens already given out keep working until they end, at most{' '}
        {LIMITS.accessTokenLifetimeMinutes} minutes. To cut those off at once as well, ask the operator of
        this server to switch API access off for <strong>{visit.visitor.account.email}</strong>, and to leave
        it off for as long.
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

/** GET and POST /apikeys/regenerate: another refresh token, after a question. */
export function addRegeneratePage(pages: PageRouter): void {
  const { tokens } = pages.parts;

  pages.signedIn('GET', '/apikeys/regenerate', (visit) =>
    visit.visitor.account.hasApiAccess ? showConfirmation(visit) : visit.redirect('/apikeys'),
  );

  pages.signedIn('POST', '/apikeys/regenerate', async (visit) => {
    const { account } = visit.visitor;
    if (!account.hasApiAccess) return visit.redirect('/apikeys');
    await tokens.regenerate(account.id);
    return visit.redirect('/apikeys?done=regenerated');
  });
}
