/** Connects Google's Agent Development Kit, which opens a new connection for each call. */
export async function connect(load, target) {
  const { MCPToolset } = await load('@google/adk');
  const toolset = new MCPToolset({
    type: 'StreamableHTTPConnectionParams',
    url: target.url,
    transportOptions: { requestInit: { headers: target.headers } },
  });
  const tools = new Map((await toolset.getTools()).map((tool) => [tool.name, tool]));
  return {
    listTools: async () => [...tools.keys()],
    call: (name, args) => tools.get(name).runAsync({ args, toolContext: {} }),
    declarations: () => [...tools.values()].map((tool) => tool._getDeclaration()),
    close: () => toolset.close(),
  };
}
