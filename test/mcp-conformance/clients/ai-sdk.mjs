/** Connects the client of the AI SDK. `call` runs a tool as a model of that SDK would. */
export async function connect(load, target) {
  const { createMCPClient } = await load('@ai-sdk/mcp');
  const { StdioMCPTransport } = await load('@ai-sdk/mcp/mcp-stdio');
  const client = await createMCPClient({
    transport:
      target.url === undefined
        ? new StdioMCPTransport({ ...target, stderr: 'ignore' })
        : { type: 'http', url: target.url, headers: target.headers },
  });
  const tools = await client.tools();
  return {
    listTools: async () => Object.keys(tools),
    call: (name, args) => tools[name].execute(args, { toolCallId: name, messages: [] }),
    close: () => client.close(),
  };
}
