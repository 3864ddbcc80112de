import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultTable, readFaults } from './fault-table.mjs';
import { root } from './root.mjs';
import { runJest } from './run-jest.mjs';

/** Runs the tests in a folder of `test/`, then prints their figures in one table. Resolves to the exit code. */
export async function runFaultTests({ name, environment = {}, backstopMs }) {
  const cache = join(root, '.cache', name);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'run-'));
  const code = await runJest({
    config: `test/${name}/jest.config.cjs`,
    words: process.argv.slice(2),
    environment: { ...environment, SIGNPOST_FAULTS_FOLDER: folder },
    backstopMs,
  });
  const faults = readFaults(folder);
  rmSync(folder, { recursive: true });
  writeFileSync(join(cache, 'faults.json'), `${JSON.stringify(faults, null, 2)}\n`);
  if (faults.length > 0) console.log(`\n${faultTable(faults)}\n`);
  return code;
}
