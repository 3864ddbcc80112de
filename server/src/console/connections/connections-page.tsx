import { LIMITS } from '@signpost/contract';
import type { Connection } from '../../oauth/connections.js';
import { formFields } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import { Timestamp } from '../layout/formatting.js';
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

function ConnectionRow({ connection }: { readonly connection: Connection }) {
  const { id, clientName, clientHost, redirectUri, projectName, keyId, keyPrefix } = connection;
  const { createdAtMs, lastUsedAtMs } = connection;
  return (
    <tr>
      <th scope="row">{clientName}</th>
      <td>{clientHost ?? leadsTo(redirectUri)}</td>
      <td>{projectName}</td>
      <td>
        <a href={`/keys/${keyId}`}>
          <code>{keyPrefix}…</code>
        </a>
      </td>
      <td class="nowrap">
        <Timestamp timeMs={createdAtMs} />
      </td>
      <td class="nowrap">{lastUsedAtMs === null ? 'never' : <Timestamp timeMs={lastUsedAtMs} />}</td>
      <td>
        <Form action={END_PATH}>
          <input type="hidden" name="connection" value={id} />
          <button type="submit" class="small">
            End it<span class="visually-hidden">: {clientName}</span>
          </button>
        </Form>
      </td>
    </tr>
  );
}

function ConnectionTable({ connections }: { readonly connections: readonly Connection[] }) {
  return (
    <div class="table" tabindex={0} role="region" aria-label="Connected assistants">
      <table aria-label="Connected assistants">
        <thead>
          <tr>
            <th scope="col">Assistant</th>
            <th scope="col">Where it is</th>
            <th scope="col">Project</th>
            <th scope="col">Its key</th>
            <th scope="col">Connected</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {connections.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const DONE = new Map([['ended', 'The connection has ended: its key is revoked.']]);

async function showConnections(context: SignedInContext) {
  const { oauth, publicUrl } = context.deps;
  const connections = await oauth.list(context.user.account.id);
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
      {connections.length === 0 ? <p>None is connected.</p> : <ConnectionTable connections={connections} />}
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
