import { PROJECT_SORTS, type ProjectPage, type ProjectSummary } from '../../accounts/project-summaries.js';
import { dayColumn, KEY_COLUMNS } from '../layout/columns.js';
import { Email } from '../layout/formatting.js';
import { type Column, DataTable, type Sorting } from '../layout/data-table.js';
import { FilterForm, SearchField } from '../layout/filter-form.js';
import { type List, readList } from '../layout/list.js';
import { PageLinks } from '../layout/paging.js';

interface ProjectsTableProps {
  readonly projects: readonly ProjectSummary[];
  readonly pathOf: (project: ProjectSummary) => string;
  /** Links to a project's account, for viewers who see the projects of several accounts. */
  readonly accountPathOf?: ((accountId: string) => string) | undefined;
  readonly sorting?: Sorting;
}

/** Projects, one per row. */
export function ProjectsTable({ projects, pathOf, accountPathOf, sorting }: ProjectsTableProps) {
  const ofAccounts: readonly Column<ProjectSummary>[] =
    accountPathOf === undefined
      ? []
      : [
          {
            title: 'Account',
            sort: 'account',
            class: 'name',
            cell: ({ accountId, email }) => (
              <a href={accountPathOf(accountId)}>
                <Email address={email} />
              </a>
            ),
          },
        ];
  const columns: readonly Column<ProjectSummary>[] = [
    {
      title: 'Project',
      kind: 'head',
      sort: 'name',
      cell: (project) => (
        <a href={pathOf(project)}>
          <bdi>{project.name}</bdi>
        </a>
      ),
    },
    ...ofAccounts,
    ...KEY_COLUMNS,
    dayColumn({ title: 'Created', sort: 'made', of: ({ createdAtMs }) => createdAtMs }),
  ];
  return (
    <DataTable label="Projects" columns={columns} rows={projects} idOf={({ id }) => id} sorting={sorting} />
  );
}

type ProjectList = List<(typeof PROJECT_SORTS)[number]['by'], 'search'>;

export const readProjectList = (path: string, query: unknown): ProjectList =>
  readList(query, { path, sorts: PROJECT_SORTS, filters: ['search'], perPage: 50 });

/** The query for one page of a list of projects. */
export const projectPageOf = ({
  filters: { search },
  sort,
  paging: { offset, limit },
}: ProjectList): ProjectPage => ({ search, sort, offset, limit });

interface FilteredProjectsProps extends Omit<ProjectsTableProps, 'sorting'> {
  readonly list: ProjectList;
  readonly total: number;
}

/** A list of projects with its filter and page links. */
export function FilteredProjects({ list, total, ...table }: FilteredProjectsProps) {
  const label = table.accountPathOf === undefined ? 'Project' : 'Project or its e-mail';
  return (
    <>
      <FilterForm list={list}>
        <SearchField name="search" label={label} value={list.filters.search} />
      </FilterForm>
      {total === 0 ? (
        <p>
          {list.isFiltered
            ? 'No project matches. Show all, or change the filter.'
            : 'There is no project yet.'}
        </p>
      ) : (
        <>
          <ProjectsTable {...table} sorting={list} />
          <PageLinks paging={list.paging} total={total} pathOf={list.pagePath} />
        </>
      )}
    </>
  );
}
