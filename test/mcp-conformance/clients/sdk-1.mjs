const SDK = '@modelcontextprotocol/sdk';

/** Connects the MCP SDK's own client, in major version 1. */
export const connect = (load, target) => connectFrom(SDK, load, target);

/** Connects an older client, which knows revisions up to 2025-03-26 and rejects a result with an unknown part. */
export const connectOlder = (load, target) => connectFrom('sdk-of-2025-03-26', load, target);

/** A transport of the SDK to a target, for libraries that take one. */
export async function transportOf(load, target, name = SDK) {
  const { StdioClientTransport } = await load(`${name}/client/stdio.js`);
  const { StreamableHTTPClientTransport } = await load(`${name}/client/streamableHttp.js`);
  return target.url === undefined
    ? new StdioClientTransport({ ...target, stderr: 'ignore' })
    : new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: target.headers } });
}

/** A connected client of the SDK, for libraries that take one. */
export async function connectClient(load, target, name = SDK) {
  const { Client } = await load(`${name}/client/index.js`);
  const client = new Client({ name: 'conformance', version: '1' });
  await client.connect(await transportOf(load, target, name));
  return client;
}

async function connectFrom(name, load, target) {
  const client = await connectClient(load, target, name);
  return {
    listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: (tool, args) => client.callTool({ name: tool, arguments: args }),
    close: () => client.close(),
  };
}
