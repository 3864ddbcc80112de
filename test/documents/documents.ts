import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

const pagesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .toSorted();

/** Every page for readers, by its path in the repository. */
export const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'mcp/README.md',
  'nodes/README.md',
  'server/README.md',
  ...pagesOf('docs'),
];

/** A page without its code and the targets of its links. */
export const proseOf = (path: string) =>
  read(path)
    .replaceAll(/^ *```[\s\S]*?^ *```$/gmu, '')
    .replaceAll(/`[^`\n]*`/gu, '`…`')
    .replaceAll(/\]\([^)\s]*\)/gu, ']');
