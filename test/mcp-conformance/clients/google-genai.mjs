import { connectClient } from './sdk-1.mjs';

/** Connects Google's SDK for Gemini, which makes a single tool of a connected client. */
export async function connect(load, target) {
  const { mcpToTool } = await load('@google/genai');
  const client = await connectClient(load, target);
  const tool = mcpToTool(client);
  return {
    listTools: async () => (await tool.tool()).functionDeclarations.map(({ name }) => name),
    call: async (name, args) => {
      const [{ functionResponse }] = await tool.callTool([{ name, args }]);
      return functionResponse.response.error ?? functionResponse.response;
    },
    close: () => client.close(),
  };
}
