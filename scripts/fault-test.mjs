import { runFaultTests } from './run-fault-tests.mjs';
import { setUp } from './set-up.mjs';

/** About twice what all of it takes. */
const BACKSTOP_MS = 25 * 60_000;

await setUp();
process.exitCode = await runFaultTests({ name: 'faults', backstopMs: BACKSTOP_MS });
