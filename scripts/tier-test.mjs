import { runJest } from './run-jest.mjs';
import { setUp } from './set-up.mjs';

/** Several times what any tier takes, for the short and the long form. */
const BACKSTOP_MS = (process.env.SIGNPOST_TEST_LONG === 'true' ? 90 : 20) * 60_000;

// Runs a folder of `test/` whose tests need no more than `npm test` does: node scripts/tier-test.mjs <folder> [jest
// arguments]
const [folder, ...words] = process.argv.slice(2);
await setUp();
process.exitCode = await runJest({
  config: `test/${folder}/jest.config.cjs`,
  words,
  sideBySide: true,
  backstopMs: BACKSTOP_MS,
});
