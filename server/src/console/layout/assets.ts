import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Style sheets, compiled scripts and icons: the same folders whether this file runs compiled or not. */
const FOLDERS = ['../../../assets', '../../../dist/browser', '../../../../icons'].map((folder) =>
  join(import.meta.dirname, folder),
);
const SERVED = /\.(?:css|js|svg)$/u;
const VERSION_CHARACTERS = 12;

/** The files that pages load, under a path that changes whenever one of them does, so that browsers keep them. */
export interface Assets {
  readonly prefix: string;
  readonly names: readonly string[];
}

/** Looks which assets there are. */
export function findAssets(): Assets {
  const hash = createHash('sha256');
  const names: string[] = [];
  for (const folder of FOLDERS) {
    for (const name of readdirSync(folder).sort()) {
      if (!SERVED.test(name)) continue;
      names.push(name);
      hash.update(name).update(readFileSync(join(folder, name)));
    }
  }
  return { prefix: `/assets/${hash.digest('base64url').slice(0, VERSION_CHARACTERS)}/`, names };
}

/** Serves the assets to everybody. */
export async function addAssets(server: FastifyInstance, { prefix }: Assets): Promise<void> {
  await server.register(fastifyStatic, {
    root: FOLDERS,
    prefix,
    index: false,
    decorateReply: false,
    allowedPath: (path) => SERVED.test(path),
    maxAge: '365d',
    immutable: true,
  });
}
