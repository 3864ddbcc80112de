/** The last revision of MCP with sessions, and the current revision. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** A version of the official MCP SDK. */
export type Sdk = '1' | '2';

const CLIENT = { name: 'bench', version: '1.0.0' };

/** The client information for each request; empty for the older revision, which sends it once per connection. */
const meta = (revision: Revision) =>
  revision === '2025-11-25'
    ? {}
    : {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientInfo': CLIENT,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      };

/** The first message of a client. */
export const openingOf = (revision: Revision) =>
  revision === '2025-11-25'
    ? {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT },
      }
    : { jsonrpc: '2.0', id: 0, method: 'server/discover', params: meta(revision) };

const lookup = { name: 'lookup_postcode', arguments: { postcode: 'SW1A 1AA' } };

/** A lookup of one postcode. */
export const lookupOf = (revision: Revision, id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { ...lookup, ...meta(revision) },
});

/** The headers of the lookup over HTTP. */
export const lookupHeadersOf = (revision: Revision): Record<string, string> => ({
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'Mcp-Protocol-Version': revision,
  ...(revision === '2025-11-25' ? {} : { 'Mcp-Method': 'tools/call', 'Mcp-Name': lookup.name }),
});
