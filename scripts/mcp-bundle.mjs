import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { installOnce, installPackages } from './install-once.mjs';
import { mcpManifest } from './package-manifests.mjs';
import { root } from './root.mjs';
import { runStep } from './run-step.mjs';

const MCPB_VERSION = '2.1.2';
const ICON = 'icon.png';
const ICON_PIXELS = 512;
const PROGRAM = 'node_modules/signpost-mcp/bin/signpost-mcp.js';

/**
 * The manifest of the bundle: the text that a desktop client shows, how the client starts the MCP server, and the
 * settings that the client asks the user for.
 */
function bundleManifest() {
  const { version, description, license, author, repository, engines } = mcpManifest();
  return {
    manifest_version: '0.3',
    name: 'signpost',
    display_name: 'Signpost',
    version,
    description,
    author,
    license,
    icon: ICON,
    ...(repository === undefined ? {} : { repository }),
    keywords: ['postcode', 'uk', 'screenshot', 'pdf'],
    server: {
      type: 'node',
      entry_point: PROGRAM,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${PROGRAM}`],
        env: {
          SIGNPOST_BASE_URL: '${user_config.base_url}',
          SIGNPOST_API_KEY: '${user_config.api_key}',
          SIGNPOST_MCP_OUTPUT_DIR: '${user_config.output_dir}',
        },
      },
    },
    tools_generated: true,
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: engines.node } },
    user_config: {
      base_url: {
        type: 'string',
        title: 'Address of the server',
        description: 'The address of the Signpost server.',
        default: 'http://127.0.0.1:3000',
        required: true,
      },
      api_key: {
        type: 'string',
        title: 'API key',
        description: 'The API key of a project on that server.',
        sensitive: true,
        required: true,
      },
      output_dir: {
        type: 'directory',
        title: 'Folder for captures',
        description:
          'Screenshots and PDFs are saved in this folder; otherwise in "signpost" in your downloads.',
        required: false,
      },
    },
  };
}

/** Installs mcpb, which checks and packs bundles, into the cache folder once. Resolves to the path of its program. */
async function installMcpb() {
  const cache = process.env.SIGNPOST_MCP_CLIENTS_CACHE_DIR || join(homedir(), '.cache');
  const manifest = { dependencies: { '@anthropic-ai/mcpb': MCPB_VERSION } };
  const folder = await installOnce(cache, `signpost-mcp-clients-mcpb-${MCPB_VERSION}`, (partial) =>
    installPackages(partial, manifest, 'the tool for MCP bundles'),
  );
  return join(folder, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
}

/**
 * Makes the bundle of a packed package, in .cache/packages. Desktop clients install it when the user opens it. It
 * includes all required dependencies, with WebAssembly in place of native binaries. Resolves to the path of the bundle
 * and to that of the tool that packed it.
 */
export async function bundleMcp(packed) {
  const mcpb = await installMcpb();
  const folder = mkdtempSync(join(root, '.cache', 'packages', '.bundle-'));
  try {
    const content = join(folder, 'content');
    mkdirSync(content);
    // One bundle serves every system, so leave out native binaries and use WebAssembly instead.
    const dependencies = {
      'signpost-mcp': `file:${packed}`,
      '@img/sharp-wasm32': mcpManifest().dependencies.sharp,
    };
    const options = ['--no-package-lock', '--omit=optional', '--cpu=wasm32'];
    await installPackages(content, { dependencies }, 'the content of the bundle', options);
    // This file shows where on this machine, and from which registry, every package came.
    rmSync(join(content, 'node_modules/.package-lock.json'), { force: true });
    rmSync(join(content, 'package.json'));
    await sharp(join(root, 'icons/signpost.svg'), { density: 1_200 })
      .resize(ICON_PIXELS, ICON_PIXELS)
      .png()
      .toFile(join(content, ICON));
    const manifest = join(content, 'manifest.json');
    writeFileSync(manifest, `${JSON.stringify(bundleManifest(), null, 2)}\n`);
    const name = `${basename(packed, '.tgz').replace(/^signpost-mcp/u, 'signpost')}.mcpb`;
    const steps = { 'Checking the manifest of the bundle': ['validate', manifest] };
    steps['Packing the bundle'] = ['pack', content, join(folder, name)];
    for (const [title, words] of Object.entries(steps)) {
      const args = [mcpb, ...words];
      await runStep({
        title,
        command: process.execPath,
        args,
        advice: 'The lines above say what to change.',
      });
    }
    const path = join(root, '.cache', 'packages', name);
    renameSync(join(folder, name), path);
    return { path, mcpb };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
