import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { CompressedBodies } from '../../http/compressed-bodies.js';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const VERSION_CHARACTERS = 12;
const YEAR_SECONDS = 31_536_000;

/**
 * The files that pages load, under a path that changes with their content so that browsers can cache them for
 * good.
 */
export interface Assets {
  readonly prefix: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

const filesIn = (folder: string, kind: string) =>
  readdirSync(folder)
    .filter((name) => extname(name) === kind)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name))] as const);

/** Reads the assets from the server's folder: all style sheets as one, the script, and the icons. */
export function findAssets(serverFolder: string): Assets {
  const styles = filesIn(join(serverFolder, 'assets'), '.css').map(([, text]) => text);
  const files = new Map([
    ['console.css', Buffer.concat(styles)],
    ['console.js', readFileSync(join(serverFolder, 'dist/browser/console.js'))],
    ...filesIn(join(serverFolder, '../icons'), '.svg'),
  ]);
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(name).update(bytes);
  return { prefix: `/assets/${hash.digest('base64url').slice(0, VERSION_CHARACTERS)}/`, files };
}

/** Serves the assets to everybody. */
export function addAssets(
  server: FastifyInstance,
  { prefix, files }: Assets,
  bodies: CompressedBodies,
): void {
  for (const [name, bytes] of files) {
    server.get(prefix + name, (request, reply) =>
      bodies.sendKept(
        request,
        reply
          .header('Content-Type', TYPES[extname(name)])
          .header('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`),
        prefix + name,
        () => bytes,
      ),
    );
  }
}
