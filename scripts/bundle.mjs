import './check-node.mjs';
import { build } from './build.mjs';
import { installPackages } from './install-packages.mjs';

// Writes the bundle of the MCP server for desktop clients into .cache/packages, next to the packages.
await installPackages();
await build();
const { packPackages } = await import('./pack-packages.mjs');
const { bundleMcp } = await import('./mcp-bundle.mjs');
const { path } = await bundleMcp((await packPackages())['signpost-mcp']);
console.log(path);
