import { type Connection, CONNECTION_SORTS } from '../../oauth/connections.js';
import { isOwnMachine } from '../../oauth/redirect-uri.js';
import { keyPath, projectPath } from '../keys/own-key.js';
import { timeColumn } from '../layout/columns.js';
import { type Column, DataTable, type DataTableProps } from '../layout/data-table.js';
import { formFields } from '../layout/form-data.js';
import { readList } from '../layout/list.js';
import { signedInPage } from '../routing/page.js';
import { ButtonForm } from '../layout/form.js';
import { NameLink } from '../layout/formatting.js';

const PATH = '/account/connections';

/** Describes the destination of a redirect URI: a host, or a program on the person's own computer. */
export function describeUri(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (!isOwnMachine(redirectUri)) return host;
  return protocol.startsWith('http')
    ? `a program on this computer, at ${host}`
    : `the program on this computer that opens ${protocol} links`;
}

const COLUMNS: readonly Column<Connection>[] = [
  { title: 'Assistant', kind: 'head', sort: 'name', cell: ({ clientName }) => <bdi>{clientName}</bdi> },
  {
    title: 'Where it is',
    cell: ({ clientHost, redirectUri }) => clientHost ?? describeUri(redirectUri),
  },
  {
    title: 'Project',
    sort: 'project',
    class: 'name',
    cell: ({ projectId, projectName }) => <NameLink href={projectPath(projectId)} name={projectName} />,
  },
  {
    title: 'Its key',
    cell: ({ keyId, keyPrefix }) => (
      <a href={keyPath(keyId)}>
        <code>{keyPrefix}…</code>
      </a>
    ),
  },
  timeColumn({ title: 'Connected', sort: 'made', of: ({ createdAtMs }) => createdAtMs }),
  timeColumn({ title: 'Last used', sort: 'used', of: ({ lastUsedAtMs }) => lastUsedAtMs }),
  {
    title: 'Actions',
    kind: 'action',
    cell: ({ id, clientName }) => (
      <ButtonForm action={PATH} sends={{ connection: id }} look="small destructive" about={`: ${clientName}`}>
        End it
      </ButtonForm>
    ),
  },
];

export const ConnectionTable = (table: Pick<DataTableProps<Connection>, 'rows' | 'sorting' | 'empty'>) => (
  <DataTable label="Connected assistants" columns={COLUMNS} {...table} />
);

/** Reads from the query of a page how its list of connections is sorted. */
export const readConnectionList = (path: string, query: unknown) =>
  readList(query, { path, sorts: CONNECTION_SORTS, filters: [], perPage: 1_000 });

/** POST /account/connections: ends a connection. The page /assistants lists the connections. */
export const endConnectionPage = signedInPage(PATH, {
  post: async (context) => {
    const { connection } = formFields(context.request.body, ['connection']);
    await context.deps.oauth.end(context.actor, context.user.account.id, connection);
    return context.redirect('/assistants?done=connection-ended');
  },
  leadsTo: '/assistants',
});
