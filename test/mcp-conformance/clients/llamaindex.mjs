/** Connects the MCP tools of LlamaIndex for TypeScript. */
export async function connect(load, target) {
  const { mcp } = await load('@llamaindex/tools');
  const { command, args, env, url, headers } = target;
  const server = mcp(
    url === undefined ? { command, args, env, stderr: 'ignore' } : { url, requestInit: { headers } },
  );
  const tools = new Map((await server.tools()).map((tool) => [tool.metadata.name, tool]));
  return {
    listTools: async () => [...tools.keys()],
    call: (name, input) => tools.get(name).call(input),
    close: () => server.mcp.close(),
  };
}
