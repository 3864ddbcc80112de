const STRUCTURED = 'mcp_structured_content';

/** Converts a part of a LangChain message back to the part of an MCP result that it was made from. */
function partOf(part) {
  if (part.type === 'image') return { type: 'image', data: part.data, mimeType: part.mime_type };
  if (part.type === 'file') return { type: 'resource_link', uri: part.url, mimeType: part.mime_type };
  return part;
}

/** Connects the MCP adapters of LangChain. The checks judge the message that a model would get. */
export async function connect(load, target) {
  const { MultiServerMCPClient } = await load('@langchain/mcp-adapters');
  const { command, args, env, url, headers } = target;
  const client = new MultiServerMCPClient({
    useStandardContentBlocks: true,
    mcpServers: {
      signpost:
        url === undefined
          ? { transport: 'stdio', command, args, env, stderr: 'ignore' }
          : { transport: 'http', url, headers, automaticSSEFallback: false },
    },
  });
  const tools = new Map((await client.getTools()).map((tool) => [tool.name, tool]));
  return {
    listTools: async () => [...tools.keys()],
    call: async (name, input) => {
      try {
        const call = { type: 'tool_call', id: name, name, args: input };
        const { content, artifact } = await tools.get(name).invoke(call);
        const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(partOf);
        const structuredContent = artifact.find(({ type }) => type === STRUCTURED)?.data;
        // A model gets only the message, which has the fields as text. It does not get the artifact beside the message.
        return { content: parts, structuredContent, reachesModel: parts };
      } catch (error) {
        if (error.name !== 'ToolException') throw error;
        return { isError: true, content: [{ type: 'text', text: error.message }] };
      }
    },
    close: () => client.close(),
  };
}
