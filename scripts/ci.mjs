import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { check, countedTier, jestTier, takeProcessorSeconds } from './ci-jobs.mjs';
import { installPackages } from './install-packages.mjs';
import { root } from './root.mjs';
import { runJobs } from './run-jobs.mjs';
import { setUp } from './set-up.mjs';
import { TIERS } from './tiers.mjs';

/** More than the cores of a small machine, because most jobs wait for browsers, servers, timeouts and installations. */
const SLOTS = 3;

const bin = (name) => join('node_modules', '.bin', name);

/**
 * Installs the systems to test with. Runs beside the other jobs without taking a slot, because it waits for the network
 * and the disk rather than the processor. If it fails, the tests that need a system try again and report the failure.
 */
const INSTALLATION = check('Systems to test with', process.execPath, 'scripts/tier.mjs', '--install');

const CHECKS = [
  // First, because it needs no build.
  { ...check('Format', bin('prettier'), '--check', '--log-level', 'warn', '.'), needsBuild: false },
  check('Lint', bin('eslint'), '--max-warnings', '0', '.'),
  check('Architecture', bin('depcruise'), '--config', 'config/dependency-cruiser.cjs', '.'),
  check('No circle of folders', bin('depcruise'), '--config', 'config/folder-circles.cjs', '.'),
  check('Dead code and dependencies', bin('knip'), '--config', 'config/knip.json'),
  check('Types', 'npm', 'run', '--silent', 'types'),
  check('Generated files are up to date', 'npm', 'run', '--silent', 'generate', '--', '--check'),
  check('Packages', 'npm', 'run', '--silent', 'packages'),
  check('Lock file', 'npm', 'ci', '--dry-run', '--ignore-scripts', '--silent'),
];

function tierJob(script) {
  const { program, slots = 1 } = TIERS[script];
  return { slots, ...(program === undefined ? jestTier(script) : countedTier(script)) };
}

/**
 * The jobs with these names. Without names, all that run on one machine: the first tier comes first, then the checks,
 * which report mistakes early, then the other tiers.
 */
function chooseJobs(names) {
  if (names.length > 0) return names.flatMap((name) => (name === 'checks' ? CHECKS : [tierJob(name)]));
  const scripts = Object.keys(TIERS).filter((name) => ['everywhere', 'local'].includes(TIERS[name].ci));
  const [largest, ...others] = scripts.map(tierJob);
  return [largest, ...CHECKS, ...others];
}

// node scripts/ci.mjs [checks] [tier …]
const names = process.argv.slice(2);
const logs = join(root, '.cache', 'ci');
mkdirSync(logs, { recursive: true });
const jobs = chooseJobs(names);
await installPackages();
// So that no job is charged with the processor time of installing the packages.
takeProcessorSeconds();
const built = setUp().then(takeProcessorSeconds);
const startedMs = Date.now();
const [results] = await Promise.all([
  runJobs(jobs, SLOTS, async (job) => {
    if (job.needsBuild !== false) await built;
    return job.run(logs);
  }),
  names.length === 0 ? INSTALLATION.run(logs) : undefined,
]);

// Tests that failed beside other jobs run once more by themselves: a busy machine must not count as a failure.
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
console.log(`\nAll jobs took ${Math.round((Date.now() - startedMs) / 60_000)} minutes`);
console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 ? 0 : 1;
