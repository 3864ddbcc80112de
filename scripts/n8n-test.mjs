import { installN8n } from './n8n-install.mjs';
import { packPackages } from './pack-packages.mjs';
import { runJest } from './run-jest.mjs';
import { setUp } from './set-up.mjs';

/**
 * For the tests only, which take about fifteen minutes on an idle machine. The installation before them has its own
 * limit.
 */
const TESTS_TIMEOUT_MS = 45 * 60_000;

await setUp();
const { newest, oldest, checks } = await installN8n();
const packages = await packPackages();
console.error(`Testing the packed package in n8n ${newest.version} and ${oldest.version}`);
process.exitCode = await runJest({
  config: 'test/n8n/jest.config.cjs',
  words: process.argv.slice(2),
  environment: {
    SIGNPOST_N8N_NODE: newest.node,
    SIGNPOST_N8N_PROGRAM: newest.program,
    SIGNPOST_N8N_OLDEST_NODE: oldest.node,
    SIGNPOST_N8N_OLDEST_PROGRAM: oldest.program,
    SIGNPOST_N8N_CHECKS: checks,
    SIGNPOST_N8N_PACKAGE: packages['n8n-nodes-signpost'],
  },
  backstopMs: TESTS_TIMEOUT_MS,
});
