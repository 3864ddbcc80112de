import { bundleMcp } from './mcp-bundle.mjs';
import { packPackages } from './pack-packages.mjs';
import { runJest } from './run-jest.mjs';
import { setUp } from './set-up.mjs';

/** For the tests only. Packing has its own limits. */
const TESTS_TIMEOUT_MS = (process.env.SIGNPOST_TEST_LONG === 'true' ? 40 : 20) * 60_000;

await setUp();
const packages = await packPackages();
const { path: bundle, mcpb } = await bundleMcp(packages['signpost-mcp']);
process.exitCode = await runJest({
  config: 'test/packages/jest.config.cjs',
  words: process.argv.slice(2),
  environment: {
    SIGNPOST_PACKAGES: JSON.stringify(packages),
    SIGNPOST_MCP_BUNDLE: bundle,
    SIGNPOST_MCPB: mcpb,
  },
  backstopMs: TESTS_TIMEOUT_MS,
});
