import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { listen } from '../../fixtures/capture/listen.js';
import { SITE_ADDRESS } from '../../fixtures/capture/page-server.js';
import { answerSession } from './session.js';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Addresses on other hosts that pages request, each with the path here that replaces it. */
const STAND_INS: readonly (readonly [RegExp, string])[] = [
  [/https:\/\/cdnjs\.cloudflare\.com\/ajax\/libs\/d3\/3\.5\.17\//gu, '/d3/'],
  [/https:\/\/cdn\.jsdelivr\.net\/npm\/echarts@5\//gu, '/echarts/'],
  [/http:\/\/cdn\.dinbror\.dk\/assets\/blazy\/[\w-]+\.jpg/gu, '/tile.svg'],
  [/https:\/\/petstore\.swagger\.io\/v2\/swagger\.json/gu, '/pages/api.json'],
];

/** A content security policy without other hosts, so that pages are the same wherever the tests run. */
const FROM_HERE_ALONE = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:";

const TILE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="rgb(200,0,100)"/></svg>';
/** The delay before the tile is sent, because pictures of real sites do not come at once either. */
const TILE_MS = 100;

export interface PackageSite {
  url(path: string): string;
  close(): Promise<void>;
}

function sendTile(response: ServerResponse): void {
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'no-store' }).end(TILE);
  }, TILE_MS);
}

async function sendFile(
  folder: string,
  ownPages: string,
  path: string,
  response: ServerResponse,
): Promise<void> {
  const [root, name] = path.startsWith('/pages/') ? [ownPages, path.slice(6)] : [folder, path];
  const file = resolve(join(root, name));
  const body = file.startsWith(root + sep) ? await readFile(file).catch(() => undefined) : undefined;
  const type = MEDIA_TYPES[extname(file)] ?? 'application/octet-stream';
  response.setHeader('content-type', type);
  response.setHeader('content-security-policy', FROM_HERE_ALONE);
  if (body === undefined) {
    response.writeHead(404).end();
    return;
  }
  const isText = /^text\/(?:html|javascript)/u.test(type);
  response.end(
    isText ? STAND_INS.reduce((text, [from, to]) => text.replace(from, to), body.toString()) : body,
  );
}

/**
 * Serves packages at `/NAME/`, the corpus's own pages at `/pages/`, a coloured tile at `/tile.svg`, sign-ins at
 * `/session`, and at `/account` whether the visitor is signed in.
 */
export async function startPackageSite(folder: string, ownPages: string): Promise<PackageSite> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    response.on('error', () => undefined);
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (answerSession(pathname, request, response)) return;
    if (pathname === '/tile.svg') sendTile(response);
    else void sendFile(folder, ownPages, decodeURIComponent(pathname), response);
  };
  const server = createServer(answer);
  const port = await listen(server, SITE_ADDRESS);
  return {
    url: (path) => `http://${SITE_ADDRESS}:${port}${path}`,
    close: () =>
      new Promise((resolved) => {
        server.close(() => resolved());
        server.closeAllConnections();
      }),
  };
}
