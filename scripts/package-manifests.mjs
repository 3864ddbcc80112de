import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const read = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const pick = (manifest, names) =>
  Object.fromEntries(names.filter((name) => name in manifest).map((name) => [name, manifest[name]]));

const [n8n, contract, mcp, server] = ['.', 'contract', 'mcp', 'server'].map(read);

/**
 * The address of the source repository from RELEASE_REPOSITORY, without ".git"; undefined if that is not set. Throws if
 * it is not an https address.
 */
function repositoryUrl() {
  const address = process.env.RELEASE_REPOSITORY;
  if (address === undefined || address === '') return undefined;
  if (!/^https:\/\/[^/\s]+\/[^\s]+$/u.test(address))
    throw new Error(`RELEASE_REPOSITORY must be an https address, but is "${address}".`);
  return address.replace(/(?:\.git)?\/?$/u, '');
}

/** The field that the npm registry requires of packages with provenance. Empty if the repository is not known. */
function repository() {
  const url = repositoryUrl();
  return url === undefined ? {} : { repository: { type: 'git', url: `git+${url}.git` } };
}

/**
 * The field with the MCP server's name in the MCP registry, where every GitHub owner has a namespace. Empty if the
 * repository is not known, or not on GitHub.
 */
function mcpName() {
  const [, owner] = /^https:\/\/github\.com\/([^/]+)\/[^/]+$/u.exec(repositoryUrl() ?? '') ?? [];
  return owner === undefined ? {} : { mcpName: `io.github.${owner}/${mcp.name}` };
}

/** The entry for the MCP registry; undefined if the MCP server has no name there. */
export function serverJson() {
  const { mcpName: name } = mcpName();
  if (name === undefined) return undefined;
  const { $schema, ...rest } = JSON.parse(readFileSync(join(root, 'mcp/server.json'), 'utf8'));
  return { $schema, name, repository: { url: repositoryUrl(), source: 'github' }, ...rest };
}

const common = () => ({ ...pick(n8n, ['license', 'author', 'engines']), ...repository() });

/** The manifest of the n8n package, without the scripts, workspaces and development tools of the root package. */
export const n8nManifest = () => ({
  ...pick(n8n, ['name', 'version', 'description', 'homepage', 'keywords']),
  ...common(),
  ...pick(n8n, ['files', 'n8n', 'peerDependencies']),
});

/**
 * The package with the MCP client for --check, and the export that loads it. The bundled program contains the client,
 * so the published manifest leaves out both: the client would bring about 90 packages, most of them for HTTP servers.
 * Only our own server uses the export.
 */
const ONLY_IN_THE_PROGRAM = new Set(['@modelcontextprotocol/sdk', './check']);
const without = (fields, names) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));

export const mcpManifest = () => ({
  ...pick(mcp, ['name', 'version', 'description', 'type', 'bin']),
  exports: without(mcp.exports, ONLY_IN_THE_PROGRAM),
  ...mcpName(),
  ...common(),
  dependencies: without(mcp.dependencies, ONLY_IN_THE_PROGRAM),
  // The contract is bundled. Its own dependencies are not, so the manifest lists them.
  bundleDependencies: [contract.name],
});

export const serverManifest = () => ({
  name: 'signpost',
  ...pick(server, ['version', 'description', 'type']),
  bin: { signpost: 'server/bin/signpost.js' },
  ...common(),
  ...pick(server, ['dependencies']),
});

/** The manifest of the contract when it is bundled in another package. */
export const contractManifest = () => pick(contract, ['name', 'version', 'license', 'type', 'exports']);
