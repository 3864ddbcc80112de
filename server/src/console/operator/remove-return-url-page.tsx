import { listReturnUrls, removeReturnUrl } from '../../tokens/return-urls.js';
import type { PageContext } from '../routing/page-context.js';
import { ServiceError } from '../../platform/errors.js';
import { formFields } from '../layout/form-data.js';
import { Confirmation } from '../layout/form.js';
import { OperatorTabs } from './operator-tabs.js';
import { REMOVE_PATH, RETURN_URLS_PATH } from './return-urls-page.js';
import { operatorPage } from '../routing/page.js';

const notThere = () =>
  new ServiceError('notFound', 'This return URL is not registered. It may have been removed.');

async function requireReturnUrl({ request, domain }: PageContext) {
  const { url } = formFields(request.query, ['url']);
  const returnUrl = (await listReturnUrls(domain)).find((registered) => registered.url === url);
  if (returnUrl === undefined) throw notThere();
  return returnUrl;
}

/** Asks for confirmation, then removes a return URL. */
export const removeReturnUrlPage = operatorPage(REMOVE_PATH, {
  get: async (context) => {
    const { url, name } = await requireReturnUrl(context);
    return context.render(
      { title: 'Remove a return URL' },
      <>
        <OperatorTabs />
        <Confirmation
          question="Remove this return URL?"
          action={REMOVE_PATH}
          button="Remove the address"
          backTo={RETURN_URLS_PATH}
        >
          <input type="hidden" name="url" value={url} />
          <p>
            <strong>{name}</strong>: <code>{url}</code>
          </p>
          <p>
            People who sign in for it are no longer sent back. Tokens that it already has stay valid until
            they expire.
          </p>
        </Confirmation>
      </>,
    );
  },
  post: async (context) => {
    const { url } = formFields(context.request.body, ['url']);
    if (!(await removeReturnUrl(context.domain, url))) throw notThere();
    return context.redirect(`${RETURN_URLS_PATH}?done=removed`);
  },
});
