import { runFaultTests } from './run-fault-tests.mjs';
import { setUp } from './set-up.mjs';

/** About twice what all tests take, for the short and the long form. */
const BACKSTOP_MS = (process.env.SIGNPOST_TEST_LONG === 'true' ? 120 : 25) * 60_000;

await setUp();
process.exitCode = await runFaultTests({ name: 'faults', backstopMs: BACKSTOP_MS });
