import { findAccountId } from '../../accounts/account.js';
import { listProjectSummaries } from '../../accounts/project-summaries.js';
import { lastPagePath } from '../layout/list.js';
import { FilteredProjects, projectPageOf, readProjectList } from '../overview/projects-table.js';
import { operatorPage } from '../routing/page.js';
import { accountPath, ALL_PROJECTS_PATH as PATH } from './account-route.js';

/** GET /operator/projects: the projects of all accounts. */
export const allProjectsPage = operatorPage(PATH, {
  menuLabel: 'Projects',
  get: async (context) => {
    const list = readProjectList(PATH, context.request.query);
    const { account } = list.filters;
    const accountId = account === '' ? undefined : await findAccountId(context.domain, account);
    const found = await listProjectSummaries(context.domain, { ...projectPageOf(list), accountId });
    const lastPage = lastPagePath(list, found.total);
    if (lastPage !== undefined) return context.redirect(lastPage);
    return context.render(
      { title: 'Projects of all accounts' },
      <>
        <h1>Projects</h1>
        <FilteredProjects
          {...found}
          list={list}
          pathOf={({ accountId }) => accountPath(accountId)}
          accountPathOf={accountPath}
        />
      </>,
    );
  },
});
