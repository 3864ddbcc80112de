/** The client of the AI SDK; its tools are what a model would be given. */
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
