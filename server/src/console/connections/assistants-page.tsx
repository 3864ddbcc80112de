import { LIMITS } from '@signpost/contract';
import type { ComponentChildren } from 'preact';
import { CodeBlock, CopyValue } from '../layout/copyable.js';
import { DoneNotice } from '../layout/notices.js';
import { signedInPage } from '../routing/page.js';
import { ConnectionTable, readConnectionList } from './connections-page.js';

const PATH = '/assistants';

const DONE = new Map([['connection-ended', 'The connection has ended: its key is revoked.']]);

interface Client {
  readonly name: string;
  readonly steps: readonly ComponentChildren[];
  readonly code?: (address: string) => string;
}

const entry = (servers: string, server: object) =>
  JSON.stringify({ [servers]: { signpost: server } }, null, 2);

const CLIENTS: readonly Client[] = [
  {
    name: 'Claude (claude.ai, Claude Desktop)',
    steps: [
      'Choose Customize → Connectors, press +, then Add custom connector.',
      'Enter a name and the address above. Leave the fields for an OAuth client empty.',
      'Press Connect, and allow it on the page of this server that opens.',
    ],
  },
  {
    name: 'ChatGPT',
    steps: [
      'Open Plugins, press +, then Add custom MCP server.',
      'Enter a name and the address above. Under Authentication choose OAuth.',
      'Create the plugin, and allow it on the page of this server that opens.',
    ],
  },
  {
    name: 'Claude Code',
    steps: ['Run this in a terminal.', 'In Claude Code, type /mcp and sign in.'],
    code: (address) => `claude mcp add --transport http signpost ${address}`,
  },
  {
    name: 'VS Code',
    steps: ['Put this into .vscode/mcp.json.', 'Start the server there, and sign in when the browser opens.'],
    code: (address) => entry('servers', { type: 'http', url: address }),
  },
  {
    name: 'Cursor',
    steps: ['Put this into ~/.cursor/mcp.json.', 'Sign in when the browser opens.'],
    code: (address) => entry('mcpServers', { url: address }),
  },
  {
    name: 'Codex CLI',
    steps: ['Put this into ~/.codex/config.toml.', 'Run: codex mcp login signpost'],
    code: (address) => `[mcp_servers.signpost]\nurl = "${address}"`,
  },
  {
    name: 'Gemini CLI',
    steps: ['Put this into ~/.gemini/settings.json.', 'In Gemini CLI, type /mcp auth signpost and sign in.'],
    code: (address) => entry('mcpServers', { httpUrl: address }),
  },
  {
    name: 'n8n and programs, with an API key',
    steps: [
      'In n8n, add the node MCP Client with Server Transport HTTP Streamable and the address above.',
      <>
        Choose Bearer Auth with <a href="/overview">a key of yours</a> as token. Programs send the key in the
        header <code>X-Api-Key</code>.
      </>,
    ],
  },
];

/** GET /assistants: the MCP address, the steps to connect each known assistant, and the connected assistants. */
export const assistantsPage = signedInPage(PATH, {
  menuLabel: 'Assistants',
  get: async (context) => {
    const { deps, user } = context;
    const list = readConnectionList(PATH, context.request.query);
    const connections = await deps.oauth.list(user.account.id, list.sort);
    const address = `${deps.publicUrl()}/mcp`;
    return context.render(
      { title: 'Assistants' },
      <>
        <h1>Assistants</h1>
        <DoneNotice sentences={DONE} />
        <p>
          An assistant gets this address and nothing else. It brings you here, and you decide whether to
          connect it.
        </p>
        <CopyValue id="mcp-address" label="the address" value={address} />
        {deps.isHttps ? null : (
          <p class="notice">
            Assistants in the cloud, such as claude.ai and ChatGPT, need a server with an https address on the
            internet.
          </p>
        )}
        <h2>How to connect</h2>
        {CLIENTS.map(({ name, steps, code }, index) => (
          <details class="card assistant">
            <summary>{name}</summary>
            <ol>
              {steps.map((step) => (
                <li>{step}</li>
              ))}
            </ol>
            {code && (
              <CodeBlock id={`client-${index}`} label={`The entry for ${name}`} code={code(address)} />
            )}
          </details>
        ))}
        <p>
          <a href="/docs/how-to/connect-assistants">More about assistants</a>, such as what to do if one does
          not connect.
        </p>
        <h2 id="connections">Connected assistants</h2>
        <p>
          Each has its own key, and the limits of that key apply. A connection ends when you end it here, when
          its key is revoked, or after {LIMITS.oauth.unusedDays} days without use.
        </p>
        <ConnectionTable
          rows={connections}
          sorting={list}
          empty={<p class="muted">No assistant is connected.</p>}
        />
      </>,
    );
  },
});
