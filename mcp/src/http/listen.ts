import type { Server } from 'node:http';

/** Makes a server listen; answers its address for people. Throws in words that say what to change. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'another program uses it' : error.message;
      const advice = 'Choose others with --host (SIGNPOST_MCP_HOST) and --port (SIGNPOST_MCP_PORT).';
      reject(new Error(`Cannot listen on ${host}, port ${port}: ${why}. ${advice}`));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}
