import { PROJECT_SORTS, type ProjectPage, type ProjectSummary } from '../../accounts/project-summaries.js';
import { dayColumn, KEY_COLUMNS } from '../layout/columns.js';
import { type Column, DataTable, type DataTableProps, tableProps } from '../layout/data-table.js';
import { FilterForm, FilterField } from '../layout/filter-form.js';
import { type List, readList } from '../layout/list.js';
import { EmailLink, NameLink } from '../layout/formatting.js';

interface ProjectsTableProps extends Pick<DataTableProps<ProjectSummary>, 'sorting' | 'pages' | 'empty'> {
  readonly projects: readonly ProjectSummary[];
  readonly pathOf: (project: ProjectSummary) => string;
  /**
   * Returns the path of an account's page. Set if the projects of several accounts are listed, each with its account.
   */
  readonly accountPathOf?: ((accountId: string) => string) | undefined;
}

export function ProjectsTable({ projects, pathOf, accountPathOf, ...table }: ProjectsTableProps) {
  const ofAccounts: readonly Column<ProjectSummary>[] =
    accountPathOf === undefined
      ? []
      : [
          {
            title: 'Account',
            sort: 'account',
            class: 'name',
            cell: ({ accountId, email }) => <EmailLink href={accountPathOf(accountId)} email={email} />,
          },
        ];
  const columns: readonly Column<ProjectSummary>[] = [
    {
      title: 'Project',
      kind: 'head',
      sort: 'name',
      cell: (project) => <NameLink href={pathOf(project)} name={project.name} />,
    },
    ...ofAccounts,
    ...KEY_COLUMNS,
    dayColumn({ title: 'Created', sort: 'made', of: ({ createdAtMs }) => createdAtMs }),
  ];
  return <DataTable label="Projects" columns={columns} rows={projects} {...table} />;
}

type ProjectList = List<(typeof PROJECT_SORTS)[number]['by'], 'search' | 'account'>;

export const readProjectList = (path: string, query: unknown): ProjectList =>
  readList(query, { path, sorts: PROJECT_SORTS, filters: ['search', 'account'], perPage: 50 });

export const projectPageOf = ({ filters, sort, paging }: ProjectList): ProjectPage => ({
  ...paging,
  ...filters,
  sort,
});

interface FilteredProjectsProps extends ProjectsTableProps {
  readonly list: ProjectList;
  readonly total: number;
}

export function FilteredProjects({ list, total, ...table }: FilteredProjectsProps) {
  const isOfAll = table.accountPathOf !== undefined;
  return (
    <>
      <FilterForm list={list}>
        <FilterField
          name="search"
          label={isOfAll ? 'Project or its e-mail' : 'Project'}
          value={list.filters.search}
        />
        {isOfAll && (
          <FilterField name="account" label="Account (e-mail or ID)" value={list.filters.account} />
        )}
      </FilterForm>
      <ProjectsTable
        {...table}
        {...tableProps(list, total)}
        empty={
          <p>
            {list.isFiltered
              ? 'No project matches. Show all, or change the filter.'
              : 'There is no project yet.'}
          </p>
        }
      />
    </>
  );
}
