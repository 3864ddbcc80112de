/** Connects the MCP SDK's own client, in major version 2 and with the older protocol revisions. */
export const connect = (load, target) => connectAs(load, target, 'legacy');

/** Connects the MCP SDK's own client, in major version 2 and with only the current protocol revision. */
export const connectCurrent = (load, target) => connectAs(load, target, { pin: '2026-07-28' });

async function connectAs(load, target, mode) {
  const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
  const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
  const transport =
    target.url === undefined
      ? new StdioClientTransport({ ...target, stderr: 'ignore' })
      : new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: target.headers } });
  const client = new Client({ name: 'conformance', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}
