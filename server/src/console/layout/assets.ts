import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { CompressedBodies } from '../../http/compressed-bodies.js';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};
const VERSION_CHARACTERS = 12;
const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;
/** Browsers may request the icon at this address for responses that name no icon, such as JSON or pictures. */
const FAVICON = 'favicon.ico';

/** The files that pages load. Their path, `prefix`, has a hash of them, so that browsers may cache them for a year. */
export interface Assets {
  readonly prefix: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

const filesIn = (folder: string, kind: string) =>
  readdirSync(folder)
    .filter((name) => extname(name) === kind)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name))] as const);

/** Reads the assets: all style sheets as one, the script, the icons and the pictures. */
export function findAssets(serverFolder: string): Assets {
  const styles = filesIn(join(serverFolder, 'assets'), '.css').map(([, text]) => text);
  const files = new Map([
    ['console.css', Buffer.concat(styles)],
    ['console.js', readFileSync(join(serverFolder, 'dist/browser/console.js'))],
    ...filesIn(join(serverFolder, '../icons'), '.svg'),
    ...['.ico', '.png', '.webp'].flatMap((kind) => filesIn(join(serverFolder, 'assets'), kind)),
  ]);
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(name).update(bytes);
  return { prefix: `/assets/${hash.digest('base64url').slice(0, VERSION_CHARACTERS)}/`, files };
}

export function addAssets(
  server: FastifyInstance,
  { prefix, files }: Assets,
  bodies: CompressedBodies,
): void {
  const serve = (path: string, name: string, bytes: Buffer, caching: string) =>
    server.get(path, (request, reply) => {
      const type = TYPES[extname(name)] ?? 'application/octet-stream';
      reply.header('Content-Type', type).header('Cache-Control', caching);
      // PNG and WebP are already compressed.
      return /svg|text/u.test(type)
        ? bodies.sendCached(request, reply, path, () => bytes)
        : reply.send(bytes);
    });
  for (const [name, bytes] of files)
    serve(prefix + name, name, bytes, `public, max-age=${YEAR_SECONDS}, immutable`);
  const favicon = files.get(FAVICON);
  if (favicon !== undefined) serve(`/${FAVICON}`, FAVICON, favicon, `public, max-age=${DAY_SECONDS}`);
}
