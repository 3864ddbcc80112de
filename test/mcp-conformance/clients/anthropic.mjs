/** Converts a content block of Anthropic's API back to the part of an MCP result that it was made from. */
const partOf = (block) =>
  block.type === 'image'
    ? { type: 'image', data: block.source.data, mimeType: block.source.media_type }
    : block;

/** Connects through the helper of Anthropic's SDK, which throws if the API does not accept a part of a result. */
export async function connect(load, target) {
  const { mcpResourceToContent, mcpTool } = await load('@anthropic-ai/sdk/helpers/beta/mcp');
  const { ToolError } = await load('@anthropic-ai/sdk/lib/tools/ToolError');
  const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
  const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
  const transport =
    target.url === undefined
      ? new StdioClientTransport({ ...target, stderr: 'ignore' })
      : new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: target.headers } });
  const client = new Client({ name: 'conformance', version: '1' });
  await client.connect(transport);
  let structuredContent;
  const watched = {
    callTool: async (params) => {
      const result = await client.callTool(params);
      structuredContent = result.structuredContent;
      return result;
    },
  };
  const run = async (name, input) => {
    try {
      return { content: (await mcpTool({ name, inputSchema: {} }, watched).run(input)).map(partOf) };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { isError: true, content: error.content };
    }
  };
  return {
    listTools: async () => {
      const { resources } = await client.listResources();
      for (const { uri } of resources) mcpResourceToContent(await client.readResource({ uri }));
      return (await client.listTools()).tools.map(({ name }) => name);
    },
    call: async (name, input) => {
      const result = await run(name, input);
      return { ...result, structuredContent, reachesModel: result.content };
    },
    close: () => client.close(),
  };
}
