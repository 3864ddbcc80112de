import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MANIFESTS = ['package.json', 'contract/package.json', 'mcp/package.json', 'server/package.json'];
const INSIDE = ['@signpost/contract', 'signpost-mcp'];
const HEADING = '## [Unreleased]';
const RELEASED = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/gmu;
const VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/u;

/** Other files that contain the version. The capture group of each pattern is the version. */
const IN_TEXT = {
  'mcp/src/version.ts': /VERSION = '([^']+)'/gu,
  'server/src/platform/version.ts': /VERSION = '([^']+)'/gu,
  Dockerfile: /image\.version=(\S+)/gu,
};
/** Matches the names of release files in the documents. The capture group is the version. */
const FILE_NAMES = /(?:signpost(?:-mcp)?|n8n-nodes-signpost)-(\d+\.\d+\.\d+)\.(?:tgz|mcpb)/gu;

const read = (folder, path) => readFileSync(join(folder, path), 'utf8');
const write = (folder, path, text) => writeFileSync(join(folder, path), text);
const replaceVersions = (text, pattern, version) =>
  text.replaceAll(pattern, (match, oldVersion) => match.replace(oldVersion, version));

/** The text between the "Unreleased" heading and the next version's. */
const unreleased = (changelog) => changelog.split(`${HEADING}\n`)[1]?.split(/^## /mu)[0] ?? '';

function isNewer(version, than) {
  const [newer, older] = [version, than].map((text) => text.split('.').map(Number));
  const first = newer.findIndex((number, index) => number !== older[index]);
  return first !== -1 && newer[first] > older[first];
}

/** The newest version with a date in the changelog; undefined before the first release. */
export const lastRelease = (folder) => [...read(folder, 'CHANGELOG.md').matchAll(RELEASED)][0]?.[1];

/** Throws if `version` cannot be the next release of the checkout in `folder`. The message says what to change. */
export function assertReleasable(folder, version) {
  if (!VERSION.test(version))
    throw new Error(`"${version}" is no version: give three numbers, such as 1.2.3.`);
  const changelog = read(folder, 'CHANGELOG.md');
  const last = lastRelease(folder);
  if (last !== undefined && !isNewer(version, last))
    throw new Error(`${version} is no newer than ${last}, the last release: give a higher version.`);
  if (!/^- /mu.test(unreleased(changelog)))
    throw new Error(`CHANGELOG.md has no line below "${HEADING}": say there what changes for people.`);
}

/** Changes fields of a JSON file and writes it again, with the usual indentation. */
function editJson(folder, path, edit) {
  const text = read(folder, path);
  const value = JSON.parse(text);
  edit(value);
  write(folder, path, `${JSON.stringify(value, null, 2)}\n`);
}

function setManifest(manifest, version) {
  manifest.version = version;
  for (const kind of [manifest.dependencies, manifest.devDependencies])
    for (const name of INSIDE) if (kind?.[name] !== undefined) kind[name] = version;
}

const documentsOf = (folder) => [
  'README.md',
  ...['docs', 'mcp', 'nodes', 'server'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true })
      .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
      .map((path) => join(name, path)),
  ),
];

/**
 * Writes a version to the manifests, the lock file and other files that contain it, and puts a heading with the version
 * and the date below "Unreleased" in the changelog.
 */
export function setVersion(folder, version, date) {
  for (const path of MANIFESTS) editJson(folder, path, (manifest) => setManifest(manifest, version));
  editJson(folder, 'package-lock.json', (lock) => {
    lock.version = version;
    for (const name of ['', 'contract', 'mcp', 'server']) setManifest(lock.packages[name], version);
  });
  const server = read(folder, 'mcp/server.json');
  write(folder, 'mcp/server.json', replaceVersions(server, /"version": "([^"]+)"/gu, version));
  for (const [path, pattern] of Object.entries(IN_TEXT))
    write(folder, path, replaceVersions(read(folder, path), pattern, version));
  for (const path of documentsOf(folder))
    write(folder, path, replaceVersions(read(folder, path), FILE_NAMES, version));
  const changelog = read(folder, 'CHANGELOG.md');
  write(folder, 'CHANGELOG.md', changelog.replace(HEADING, `${HEADING}\n\n## [${version}] - ${date}`));
}
