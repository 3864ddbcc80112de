import { installCorpus } from './corpus-install.mjs';
import { runJest } from './run-jest.mjs';
import { setUp } from './set-up.mjs';

/** Several times what the tests take on an idle machine. The packages are downloaded before this time starts. */
const BACKSTOP_MS = 10 * 60_000;

await setUp();
process.exitCode = await runJest({
  config: 'test/corpus/jest.config.cjs',
  words: process.argv.slice(2),
  environment: { SIGNPOST_CORPUS: await installCorpus() },
  backstopMs: BACKSTOP_MS,
});
