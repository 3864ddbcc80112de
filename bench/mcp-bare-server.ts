import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

/**
 * The floors of the MCP server: the bare SDK with one tool that answers two words, over standard input and output, or
 * with the word "http" over stateless HTTP, whose address goes to standard output.
 */
const input = { postcode: z.string() };

function createBareServer(): McpServer {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool('lookup_postcode', { description: 'Answers two words.', inputSchema: input }, () => ({
    content: [{ type: 'text', text: 'two words' }],
  }));
  return server;
}

if (process.argv[2] === 'http') {
  const http = createServer((request, response) => {
    const answer = async () => {
      const body: unknown = JSON.parse(await text(request));
      const server = createBareServer();
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      response.once('close', () => void server.close());
      await server.connect(transport);
      await transport.handleRequest(request, response, body);
    };
    answer().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  http.listen(0, '127.0.0.1', () => {
    const address = http.address();
    if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port ?? 0}/mcp\n`);
  });
} else {
  process.stdin.once('end', () => process.exit(0));
  await createBareServer().connect(new StdioServerTransport());
}
