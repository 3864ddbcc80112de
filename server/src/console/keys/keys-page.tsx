import { listKeyPage } from '../../keys/list-keys.js';
import { lastPagePath } from '../layout/list.js';
import { signedInPage } from '../routing/page.js';
import { keyPath } from './own-key.js';
import { FilteredKeys, readKeyList, keyPageOf } from './keys-table.js';
import { OVERVIEW } from '../layout/page-layout.js';

const PATH = '/keys';

/** GET /keys: the signed-in person's keys, with a filter. */
export const keysPage = signedInPage(PATH, {
  get: async (context) => {
    const { deps, domain, user } = context;
    const list = readKeyList(PATH, context.request.query);
    const found = await listKeyPage(domain, { ...keyPageOf(list), accountId: user.account.id });
    const lastPage = lastPagePath(list, found.total);
    if (lastPage !== undefined) return context.redirect(lastPage);
    return context.render(
      { crumbs: [OVERVIEW], title: 'Keys' },
      <>
        <h1>Keys</h1>
        <FilteredKeys
          {...found}
          list={list}
          defaultLimits={deps.defaultLimits}
          pathOf={({ id }) => keyPath(id)}
          isOwn
        />
      </>,
    );
  },
});
