/** The last revision of the older era and the current one. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** A version of the official SDK. */
export type Sdk = '1' | '2';

const CLIENT = { name: 'bench', version: '1.0.0' };

/** What a request says about itself; in the older era a connection says it once. */
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

/** What a client says first. */
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

/** What the lookup has in its headers over HTTP. */
export const lookupHeadersOf = (revision: Revision): Record<string, string> => ({
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'Mcp-Protocol-Version': revision,
  ...(revision === '2025-11-25' ? {} : { 'Mcp-Method': 'tools/call', 'Mcp-Name': lookup.name }),
});
