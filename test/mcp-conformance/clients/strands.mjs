import { transportOf } from './sdk-1.mjs';

/** Converts a block of Strands back to the part of an MCP result that it was made from. */
const partOf = (block) =>
  block.type === 'imageBlock'
    ? {
        type: 'image',
        data: Buffer.from(block.source.bytes).toString('base64'),
        mimeType: `image/${block.format}`,
      }
    : { type: 'text', text: block.text ?? JSON.stringify(block.json) };

/** Connects the client of Strands Agents. The checks judge the result that a model would get. */
export async function connect(load, target) {
  const { McpClient } = await load('@strands-agents/sdk');
  const client = new McpClient({ transport: await transportOf(load, target) });
  let structuredContent;
  const callTool = client.callTool.bind(client);
  client.callTool = async (...words) => {
    const result = await callTool(...words);
    structuredContent = result.structuredContent;
    return result;
  };
  const tools = new Map((await client.listTools()).map((tool) => [tool.name, tool]));
  return {
    listTools: async () => [...tools.keys()],
    call: async (name, input) => {
      const toolUse = { toolUseId: name, name, input };
      const { value } = await tools.get(name).stream({ toolUse }).next();
      const content = value.content.map(partOf);
      // A model does not get the fields (`structuredContent`).
      return { isError: value.status === 'error', content, structuredContent, reachesModel: content };
    },
    close: () => client.disconnect(),
  };
}
