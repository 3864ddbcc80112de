import { randomUUID } from 'node:crypto';

const CONTENT = Symbol.for('mastra.mcp.callToolContent');

/** Connects the client of Mastra, which uses the current protocol revision. `call` runs a tool as an agent would. */
export async function connect(load, target) {
  const { MCPClient } = await load('@mastra/mcp');
  const { command, args, env, url, headers } = target;
  const signpost =
    url === undefined
      ? { command, args, env, stderr: 'ignore' }
      : { url: new URL(url), requestInit: { headers } };
  const client = new MCPClient({ id: randomUUID(), servers: { signpost } });
  const toolsets = await client.listToolsets();
  const tools = toolsets.signpost;
  return {
    listTools: async () => Object.keys(tools),
    call: async (name, input) => {
      try {
        const result = await tools[name].execute(input, {});
        // Mastra's own validation errors have a different form.
        if (result.error === true) throw new Error(result.message);
        const content = result[CONTENT];
        return content === undefined ? result : { content, structuredContent: result };
      } catch (error) {
        // Mastra throws an error with the message of the tool.
        return { isError: true, content: [{ type: 'text', text: error.message }] };
      }
    },
    close: () => client.disconnect(),
  };
}
