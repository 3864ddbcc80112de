/** Connects the client of OpenAI's Agents SDK. */
export async function connect(load, target) {
  const { MCPServerStdio, MCPServerStreamableHttp } = await load('@openai/agents-core');
  const server =
    target.url === undefined
      ? new MCPServerStdio({ command: target.command, args: target.args, env: target.env })
      : new MCPServerStreamableHttp({ url: target.url, requestInit: { headers: target.headers } });
  await server.connect();
  return {
    listTools: async () => (await server.listTools()).map(({ name }) => name),
    call: (name, args) => server.callToolResult(name, args),
    close: () => server.close(),
  };
}
