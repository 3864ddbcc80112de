import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pages, read, root } from './documents.js';

const LINK = /\]\(([^)\s]+)\)/gu;
const withoutCode = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```$/gmu, '');

/** The anchor that GitHub makes from a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/\]\([^)]*\)/gu, '')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsOf = (path: string) =>
  new Set([...withoutCode(read(path)).matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) => anchorOf(heading)));

const linksOf = (path: string) =>
  [...withoutCode(read(path)).matchAll(LINK)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:https?|mailto):/u.test(target));

function problemOf(page: string, target: string): string | undefined {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? page : normalize(join(dirname(page), file));
  if (!existsSync(join(root, path))) return `${page} links to ${target}, which is not there`;
  if (anchor === undefined || statSync(join(root, path)).isDirectory()) return undefined;
  return anchorsOf(path).has(anchor) ? undefined : `${page} links to ${target}, but there is no such heading`;
}

test('every link between the documents leads to an existing file and heading', () => {
  const links = pages.flatMap((page) => linksOf(page).map((target) => [page, target] as const));
  expect(links.length).toBeGreaterThan(100);
  expect(links.flatMap(([page, target]) => problemOf(page, target) ?? [])).toEqual([]);
});

test('every source file that ARCHITECTURE.md names exists', () => {
  const files = ['contract/src', 'credentials', 'mcp/src', 'nodes', 'server/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const isThere = (name: string) =>
    existsSync(join(root, name)) || files.some((file) => file.endsWith(`/${name}`));
  const named = [...read('ARCHITECTURE.md').matchAll(/`([\w/.-]+\.(?:tsx?|mjs))`/gu)].map(
    ([, name = '']) => name,
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

test('every path below deploy/ or docs/ that the changelog names for the next release exists', () => {
  const [, unreleased = ''] = read('CHANGELOG.md').split(/^## /mu);
  const named = [...unreleased.matchAll(/`((?:deploy|docs)\/[\w./-]+)`/gu)].map(([, path = '']) => path);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('docs/README.md lists every other page in docs/', () => {
  const listed = linksOf('docs/README.md').map((target) => normalize(join('docs', target)));
  const missing = pages.filter(
    (page) => page.startsWith('docs/') && page !== 'docs/README.md' && !listed.includes(page),
  );
  expect(missing).toEqual([]);
});

test('the README has at most 180 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(180);
});
