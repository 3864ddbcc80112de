import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { check, countedSystem, jestSuite, jestSystem } from './ci-jobs.mjs';
import { root } from './root.mjs';
import { setUp } from './set-up.mjs';
import { TIERS } from './tiers.mjs';

/** Two jobs at a time, because tests spend much of their time waiting for browsers, servers and installations. */
const LANES = 2;

const bin = (name) => join('node_modules', '.bin', name);

/**
 * Runs beside the lanes, because it waits for the network and the disk rather than the processor. If it fails, the
 * systems that need it try again and report the failure.
 */
const INSTALLATION = check('Systems to test with', process.execPath, 'scripts/tier.mjs', '--install');

const CHECKS = [
  check('Lint', bin('eslint'), '--max-warnings', '0', '.'),
  check('Architecture', bin('depcruise'), '--config', 'config/dependency-cruiser.cjs', '.'),
  check('No circle of folders', bin('depcruise'), '--config', 'config/folder-circles.cjs', '.'),
  check('Dead code and dependencies', bin('knip'), '--config', 'config/knip.json'),
  check('Format', bin('prettier'), '--check', '--log-level', 'warn', '.'),
  check('Types', 'npm', 'run', '--silent', 'types'),
  check('Generated files are up to date', 'npm', 'run', '--silent', 'generate', '--', '--check'),
  check('Packages', 'npm', 'run', '--silent', 'packages'),
  check('Lock file', 'npm', 'ci', '--dry-run', '--ignore-scripts', '--silent'),
];

function tierJob(script) {
  const { program, isSystem = false } = TIERS[script];
  if (program !== undefined) return countedSystem(script);
  return isSystem ? jestSystem(script) : jestSuite(script);
}

/**
 * The jobs with these names. Without names, all that run on one machine: the longest tier comes first, while the other
 * lane begins with the checks, which report mistakes early.
 */
function chooseJobs(names) {
  if (names.length > 0) return names.flatMap((name) => (name === 'checks' ? CHECKS : [tierJob(name)]));
  const scripts = Object.keys(TIERS).filter((name) => ['everywhere', 'local'].includes(TIERS[name].ci));
  const [longest, ...others] = scripts.map(tierJob);
  return [longest, ...CHECKS, ...others];
}

// node scripts/ci.mjs [checks] [tier …]
const names = process.argv.slice(2);
const logs = join(root, '.cache', 'ci');
mkdirSync(logs, { recursive: true });
const waiting = chooseJobs(names);
await setUp();

const results = [];
async function workThroughJobs() {
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) results.push(await job.run(logs));
}
await Promise.all([
  ...(names.length === 0 ? [INSTALLATION.run(logs)] : []),
  ...Array.from({ length: LANES }, workThroughJobs),
]);

// A system that failed while others were running is run once more by itself, so that a busy machine does not count as a
// failure.
const unsteady = [];
const final = [];
for (const result of results) {
  const again = result.rerun === undefined ? undefined : await result.rerun();
  final.push(again ?? result);
  unsteady.push(...(again?.unsteady ?? []));
}

if (unsteady.length > 0)
  console.log(
    `\nUnsteady: failed while other jobs ran and passed on their own. Fix them:\n  ${unsteady.join('\n  ')}`,
  );
const failures = final.flatMap(({ failures }) => failures);
if (failures.length > 0) console.log(`\nFailed:\n  ${failures.join('\n  ')}`);
const total = (name) => final.reduce((sum, counts) => sum + counts[name], 0);
console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 ? 0 : 1;
