import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as OlderServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/**
 * This program is the lower bound for the MCP server: the bare SDK with one tool that returns two words. The first
 * argument is the SDK version, "1" or "2". It uses standard input and output, or stateless HTTP if the second argument
 * is "http"; then it prints its address.
 */
const [sdk, way] = process.argv.slice(2);
const info = { name: 'bare', version: '1.0.0' };
const description = 'Answers two words.';
const inputSchema = z.object({ postcode: z.string() });
const content = [{ type: 'text', text: 'two words' }] as const;

function createOlderServer(): OlderServer {
  const server = new OlderServer(info);
  server.registerTool('lookup_postcode', { description, inputSchema }, () => ({ content: [...content] }));
  return server;
}

function createCurrentServer(): McpServer {
  const server = new McpServer(info);
  server.registerTool('lookup_postcode', { description, inputSchema }, () => ({ content: [...content] }));
  return server;
}

const answerOlder: RequestListener = (request, response) => {
  const answer = async () => {
    const body: unknown = JSON.parse(await text(request));
    const server = createOlderServer();
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.once('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, body);
  };
  answer().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
};

const isOlder = sdk === '1';
if (way === 'http') {
  const answerCurrent = toNodeHandler(createMcpHandler(createCurrentServer));
  const listener: RequestListener = (request, response) => {
    const { method = 'GET', url = '/' } = request;
    void answerCurrent(Object.assign(request, { method, url }), response);
  };
  const http = createServer(isOlder ? answerOlder : listener);
  http.listen(0, '127.0.0.1', () => {
    const address = http.address();
    if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port ?? 0}/mcp\n`);
  });
} else {
  process.stdin.once('end', () => process.exit(0));
  if (isOlder) await createOlderServer().connect(new StdioServerTransport());
  else serveStdio(createCurrentServer);
}
