import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.js';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What a path answers: a page as text, or whatever the handler does. */
export type Routes = Readonly<Record<string, string | Handler>>;

export interface PageServer {
  readonly port: number;
  /** The whole address of a path. */
  url(path: string): string;
  /** Paths that were asked for, in their order, without the query. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** A site that captures may reach: an address of its own, so that others on loopback can be told from it. */
export const SITE_ADDRESS = '127.0.0.2';

/** Serves these routes on the site's address; `/slow?ms=n` answers an empty picture after n milliseconds. */
export async function startPageServer(routes: Routes): Promise<PageServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    asked.push(pathname);
    if (pathname === '/slow') {
      setTimeout(() => response.writeHead(204).end(), Number(searchParams.get('ms')));
      return;
    }
    const route = routes[pathname];
    if (typeof route === 'function') {
      route(request, response);
      return;
    }
    response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(route ?? 'not here');
  });
  const port = await listen(server, SITE_ADDRESS);
  return {
    port,
    asked,
    url: (path) => `http://${SITE_ADDRESS}:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
