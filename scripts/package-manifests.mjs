import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const read = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const pick = (manifest, names) =>
  Object.fromEntries(names.filter((name) => name in manifest).map((name) => [name, manifest[name]]));

const [n8n, contract, mcp, server] = ['.', 'contract', 'mcp', 'server'].map(read);

/** Where the sources are: RELEASE_REPOSITORY, an https address, here without its ending. */
function repositoryUrl() {
  const address = process.env.RELEASE_REPOSITORY;
  if (address === undefined || address === '') return undefined;
  if (!/^https:\/\/[^/\s]+\/[^\s]+$/u.test(address))
    throw new Error(`RELEASE_REPOSITORY must be an https address, but is "${address}".`);
  return address.replace(/(?:\.git)?\/?$/u, '');
}

/** What the registry asks of packages with provenance. */
function repository() {
  const url = repositoryUrl();
  return url === undefined ? {} : { repository: { type: 'git', url: `git+${url}.git` } };
}

/** The name in the registry of MCP servers, which gives a namespace to each owner at GitHub; none elsewhere. */
function mcpName() {
  const [, owner] = /^https:\/\/github\.com\/([^/]+)\/[^/]+$/u.exec(repositoryUrl() ?? '') ?? [];
  return owner === undefined ? {} : { mcpName: `io.github.${owner}/${mcp.name}` };
}

/** What the registry of MCP servers is told; undefined where the server has no name there. */
export function serverJson() {
  const { mcpName: name } = mcpName();
  if (name === undefined) return undefined;
  const { $schema, ...rest } = JSON.parse(readFileSync(join(root, 'mcp/server.json'), 'utf8'));
  return { $schema, name, repository: { url: repositoryUrl(), source: 'github' }, ...rest };
}

const common = () => ({ ...pick(n8n, ['license', 'author', 'engines']), ...repository() });

/** The node alone: n8n installs no scripts, workspaces or tools with it. */
export const n8nManifest = () => ({
  ...pick(n8n, ['name', 'version', 'description', 'homepage', 'keywords']),
  ...common(),
  ...pick(n8n, ['files', 'n8n', 'peerDependencies']),
});

export const mcpManifest = () => ({
  ...pick(mcp, ['name', 'version', 'description', 'type', 'bin', 'exports']),
  ...mcpName(),
  ...common(),
  ...pick(mcp, ['dependencies']),
  // It comes with the package, but for what it needs itself, which the package names.
  bundleDependencies: [contract.name],
});

export const serverManifest = () => ({
  name: 'signpost',
  ...pick(server, ['version', 'description', 'type']),
  bin: { signpost: 'server/bin/signpost.js' },
  ...common(),
  ...pick(server, ['dependencies']),
});

/** The contract inside of another package. */
export const contractManifest = () => pick(contract, ['name', 'version', 'license', 'type', 'exports']);
