import { clusterPrograms } from './cluster-programs.mjs';
import { runFaultTests } from './run-fault-tests.mjs';
import { setUp } from './set-up.mjs';

/** Several times what all tests take on an idle machine. */
const BACKSTOP_MS = 20 * 60_000;

let programs;
try {
  programs = clusterPrograms();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
await setUp();
process.exitCode = await runFaultTests({
  name: 'cluster',
  environment: { SIGNPOST_CLUSTER_FAKETIME: programs.faketime },
  backstopMs: BACKSTOP_MS,
});
