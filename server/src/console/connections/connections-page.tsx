import { LIMITS } from '@signpost/contract';
import { type Connection, CONNECTION_SORTS } from '../../oauth/connections.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { formFields } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import { Timestamp } from '../layout/formatting.js';
import { readList } from '../layout/list.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';

const PATH = '/account/connections';
const END_PATH = `${PATH}/end`;

/** Where a client is led back to, for people: a host, or a program on their own computer. */
export function leadsTo(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (protocol === 'https:') return host;
  return protocol === 'http:'
    ? `a program on this computer, at ${host}`
    : `the program on this computer that opens ${protocol} links`;
}

const COLUMNS: readonly Column<Connection>[] = [
  { title: 'Assistant', kind: 'head', sort: 'name', cell: ({ clientName }) => clientName },
  {
    title: 'Where it is',
    cell: ({ clientHost, redirectUri }) => clientHost ?? leadsTo(redirectUri),
  },
  { title: 'Project', sort: 'project', cell: ({ projectName }) => projectName },
  {
    title: 'Its key',
    cell: ({ keyId, keyPrefix }) => (
      <a href={`/keys/${keyId}`}>
        <code>{keyPrefix}…</code>
      </a>
    ),
  },
  {
    title: 'Connected',
    kind: 'time',
    sort: 'made',
    cell: ({ createdAtMs }) => <Timestamp timeMs={createdAtMs} />,
  },
  {
    title: 'Last used',
    kind: 'time',
    sort: 'used',
    cell: ({ lastUsedAtMs }) => (lastUsedAtMs === null ? 'never' : <Timestamp timeMs={lastUsedAtMs} />),
  },
  {
    title: 'Actions',
    kind: 'action',
    cell: ({ id, clientName }) => (
      <Form action={END_PATH}>
        <input type="hidden" name="connection" value={id} />
        <button type="submit" class="small destructive">
          End it<span class="visually-hidden">: {clientName}</span>
        </button>
      </Form>
    ),
  },
];

const DONE = new Map([['ended', 'The connection has ended: its key is revoked.']]);

/** As many as there are keys of an account. */
const LIST = { path: PATH, sorts: CONNECTION_SORTS, filters: [], perPage: 1_000 };

async function showConnections(context: SignedInContext) {
  const { oauth, publicUrl } = context.deps;
  const list = readList(context.request.query, LIST);
  const connections = await oauth.list(context.user.account.id, list.sort);
  return context.render(
    { title: 'Connected assistants' },
    <>
      <p class="crumbs">
        <a href="/account">Your account</a>
      </p>
      <h1>Connected assistants</h1>
      <DoneNotice sentences={DONE} />
      <p>
        An assistant is connected by the address <code>{publicUrl()}/mcp</code> alone: it leads you here, and
        you say whether it may. Each works with a key of its own, whose limits hold for it. A connection ends
        here, with its key, or when it was not used for {LIMITS.oauth.unusedDays} days.
      </p>
      {connections.length === 0 ? (
        <p>None is connected.</p>
      ) : (
        <DataTable
          label="Connected assistants"
          columns={COLUMNS}
          rows={connections}
          idOf={({ id }) => id}
          sorting={list}
        />
      )}
    </>,
  );
}

/** GET /account/connections: the assistants that work for whoever is signed in, and what ends them. */
export const connectionsPages = [
  signedInPage(PATH, { get: showConnections }),
  signedInPage(END_PATH, {
    post: async (context) => {
      const { connection } = formFields(context.request.body, ['connection']);
      await context.deps.oauth.end(context.actor, context.user.account.id, connection);
      return context.redirect(`${PATH}?done=ended`);
    },
    leadsTo: PATH,
  }),
];
