import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A service that responds to every request with its method, URL, authorization, content type and body, as JSON. */
export interface EchoService {
  readonly url: string;
  close(): Promise<void>;
}

export async function startEchoService(): Promise<EchoService> {
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const { authorization, 'content-type': contentType } = headers;
    void text(request).then((body) =>
      response
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ method, url, authorization, contentType, body })),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
