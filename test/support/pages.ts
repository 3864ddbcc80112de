import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Page = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server of the test's own on the loopback address. */
export interface Pages {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const html: Page = (_request, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end('<!doctype html><title>A page</title><body style="margin:0;background:#123456">Hello</body>');
};

/** Serves each page at its path; any other path is a plain page. */
export async function servePages(pages: Readonly<Record<string, Page>> = {}): Promise<Pages> {
  const server = createServer((request, response) => (pages[request.url ?? '/'] ?? html)(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
