import type { ProjectSummary } from '../../accounts/project-summaries.js';
import { type Column, DataTable, type Sorting } from '../layout/data-table.js';
import { formatCount, Timestamp } from '../layout/formatting.js';

interface ProjectsTableProps {
  readonly projects: readonly ProjectSummary[];
  readonly pathOf: (project: ProjectSummary) => string;
  /** The page of the account of a project, for those who see the projects of several. */
  readonly accountPathOf?: ((accountId: string) => string) | undefined;
  readonly sorting?: Sorting;
}

/** Projects, one a row. */
export function ProjectsTable({ projects, pathOf, accountPathOf, sorting }: ProjectsTableProps) {
  const columns: readonly Column<ProjectSummary>[] = [
    {
      title: 'Project',
      kind: 'head',
      sort: 'name',
      cell: (project) => <a href={pathOf(project)}>{project.name}</a>,
    },
    ...(accountPathOf === undefined
      ? []
      : [
          {
            title: 'Account',
            sort: 'account',
            class: 'name',
            cell: ({ accountId, email }: ProjectSummary) => <a href={accountPathOf(accountId)}>{email}</a>,
          },
        ]),
    {
      title: 'Live keys',
      kind: 'number',
      sort: 'keys',
      cell: ({ liveKeyCount }) => formatCount(liveKeyCount),
    },
    {
      title: 'Requests today',
      kind: 'number',
      sort: 'today',
      cell: ({ requestsToday }) => formatCount(requestsToday),
    },
    {
      title: 'Created',
      kind: 'time',
      sort: 'made',
      cell: ({ createdAtMs }) => <Timestamp timeMs={createdAtMs} />,
    },
  ];
  return (
    <DataTable label="Projects" columns={columns} rows={projects} idOf={({ id }) => id} sorting={sorting} />
  );
}
