import { PROJECT_SORTS } from '../../accounts/project-summaries.js';
import { FilterForm, SearchField } from '../layout/filter-form.js';
import { lastPagePath, readList } from '../layout/list.js';
import { PageLinks } from '../layout/paging.js';
import { ProjectsTable } from '../overview/projects-table.js';
import { operatorPage } from '../routing/page.js';
import { accountPath, ALL_PROJECTS_PATH as PATH } from './account-route.js';
import { OperatorTabs } from './operator-tabs.js';

const LIST = { path: PATH, sorts: PROJECT_SORTS, filters: ['search'], perPage: 50 } as const;

/** GET /operator/projects: the projects of all accounts. */
export const allProjectsPage = operatorPage(PATH, {
  menuLabel: 'Projects',
  get: async (context) => {
    const list = readList(context.request.query, LIST);
    const { search } = list.filters;
    const { offset, limit } = list.paging;
    const wanted = { search, sort: list.sort, offset, limit };
    const { projects, total } = await context.deps.accounts.listProjectSummaries(wanted);
    const lastPage = lastPagePath(list, total);
    if (lastPage !== undefined) return context.redirect(lastPage);
    return context.render(
      { title: 'Projects of all accounts' },
      <>
        <OperatorTabs />
        <h1>Projects</h1>
        <FilterForm list={list}>
          <SearchField name="search" label="Project or its e-mail" value={search} />
        </FilterForm>
        {total === 0 ? (
          <p>
            {list.isFiltered ? 'No project fits. Show all, or filter otherwise.' : 'There is no project yet.'}
          </p>
        ) : (
          <>
            <ProjectsTable
              projects={projects}
              pathOf={({ accountId }) => accountPath(accountId)}
              accountPathOf={accountPath}
              sorting={list}
            />
            <PageLinks paging={list.paging} total={total} pathOf={list.pagePath} />
          </>
        )}
      </>,
    );
  },
});
