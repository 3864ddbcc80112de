/** The first major version of the SDK's own client. */
export const connect = (load, target) => connectFrom('@modelcontextprotocol/sdk', load, target);

/** One that knows no later revision than 2025-03-26, and refuses a result with a part that it does not know. */
export const connectOlder = (load, target) => connectFrom('sdk-of-2025-03-26', load, target);

async function connectFrom(name, load, target) {
  const { Client } = await load(`${name}/client/index.js`);
  const { StdioClientTransport } = await load(`${name}/client/stdio.js`);
  const { StreamableHTTPClientTransport } = await load(`${name}/client/streamableHttp.js`);
  const transport =
    target.url === undefined
      ? new StdioClientTransport({ ...target, stderr: 'ignore' })
      : new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: target.headers } });
  const client = new Client({ name: 'conformance', version: '1' });
  await client.connect(transport);
  return {
    listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: (tool, args) => client.callTool({ name: tool, arguments: args }),
    close: () => client.close(),
  };
}
