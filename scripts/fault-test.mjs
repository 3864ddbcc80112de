import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultTable, readFaults } from './fault-table.mjs';
import { root } from './root.mjs';
import { runJest } from './run-jest.mjs';
import { setUp } from './set-up.mjs';

/** About twice what all of it takes. */
const BACKSTOP_MS = 25 * 60_000;
const CACHE = join(root, '.cache/faults');

await setUp();
mkdirSync(CACHE, { recursive: true });
const folder = mkdtempSync(join(CACHE, 'run-'));
process.exitCode = await runJest({
  config: 'test/faults/jest.config.cjs',
  words: process.argv.slice(2),
  environment: { SIGNPOST_FAULTS_FOLDER: folder },
  backstopMs: BACKSTOP_MS,
});
const faults = readFaults(folder);
rmSync(folder, { recursive: true });
writeFileSync(join(CACHE, 'faults.json'), `${JSON.stringify(faults, null, 2)}\n`);
console.log(`\n${faultTable(faults)}\n`);
