import { ServiceError } from '../../platform/errors.js';
import type { Database } from '../../storage/storage.js';
import { listReturnUrls, removeReturnUrl } from '../../tokens/return-urls.js';
import { formFields } from '../layout/form-data.js';
import type { PageRouter } from '../routing/page-router.js';
import { Confirmation } from '../layout/form.js';
import { OperatorTabs } from './operator-tabs.js';
import { REMOVE_PATH, RETURN_URLS_PATH } from './return-urls-page.js';

const notThere = () =>
  new ServiceError('notFound', 'This return URL is not registered, or was removed meanwhile.');

async function requireReturnUrl(db: Database, sent: unknown) {
  const { url } = formFields(sent, ['url']);
  const returnUrl = (await listReturnUrls(db)).find((registered) => registered.url === url);
  if (returnUrl === undefined) throw notThere();
  return returnUrl;
}

/** Asks before a return URL is removed, and removes it. */
export function addRemoveReturnUrlPage(pages: PageRouter): void {
  const { db } = pages.parts;

  pages.operator('GET', REMOVE_PATH, async (visit) => {
    const { url, name } = await requireReturnUrl(db, visit.request.query);
    return visit.page(
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
            From now on people who sign in for it are not sent back. Tokens that it has already stay valid to
            their own end.
          </p>
        </Confirmation>
      </>,
    );
  });

  pages.operator('POST', REMOVE_PATH, async (visit) => {
    const { url } = formFields(visit.request.body, ['url']);
    if (!(await removeReturnUrl(db, url))) throw notThere();
    return visit.redirect(`${RETURN_URLS_PATH}?done=removed`);
  });
}
