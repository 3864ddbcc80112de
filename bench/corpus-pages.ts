import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import type { CorpusPage } from './options.js';

const PATHS: Readonly<Record<CorpusPage, string>> = {
  dashboard: '/startbootstrap-sb-admin-2/index.html',
  article: '/startbootstrap-clean-blog/dist/post.html',
  agency: '/startbootstrap-agency/dist/index.html',
};

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

export const isOfCorpus = (page: string): page is CorpusPage => page in PATHS;

/** The path of a page. Pages of the test corpus are in the folders of their packages. */
export const pathOf = (page: string): string => (isOfCorpus(page) ? PATHS[page] : `/${page}`);

/**
 * Returns a file of the test corpus, whose pages are by other authors, with headers that stop a page from loading
 * anything from other hosts; undefined if the file does not exist.
 */
export async function corpusFile(folder: string, path: string) {
  const body = await readFile(join(folder, normalize(path))).catch(() => undefined);
  if (body === undefined) return undefined;
  const headers = {
    'Content-Type': MEDIA_TYPES[extname(path)] ?? 'application/octet-stream',
    'Content-Security-Policy': "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
  };
  return { body, headers };
}
