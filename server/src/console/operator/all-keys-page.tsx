import { listKeyPage } from '../../keys/list-keys.js';
import { FilteredKeys, keyPageOf, readKeyList } from '../keys/keys-table.js';
import { lastPagePath } from '../layout/list.js';
import { operatorPage } from '../routing/page.js';
import { accountPath, ALL_KEYS_PATH as PATH, requestsPath } from './account-route.js';

/** GET /operator/keys: the keys of all accounts, by default those with the most requests today first. */
export const allKeysPage = operatorPage(PATH, {
  menuLabel: 'Keys',
  get: async (context) => {
    const { deps, domain } = context;
    const list = readKeyList(PATH, context.request.query);
    const found = await listKeyPage(domain, keyPageOf(list));
    const lastPage = lastPagePath(list, found.total);
    if (lastPage !== undefined) return context.redirect(lastPage);
    return context.render(
      { title: 'Keys of all accounts' },
      <>
        <h1>Keys</h1>
        <FilteredKeys
          {...found}
          list={list}
          defaultLimits={deps.defaultLimits}
          pathOf={({ accountId, id }) => requestsPath(accountId, id)}
          accountPathOf={accountPath}
        />
      </>,
    );
  },
});
