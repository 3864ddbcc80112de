import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './root.mjs';
import { IS_SET_UP } from './tiers.mjs';

/**
 * The kinds of jobs of `.ci/run`. Each job writes to its own log, which is printed in one piece when the job ends. Its
 * `run` resolves to its counts: `passed`, `failed` and the names of its `failures`. If a failed job can be run again,
 * the counts include `rerun`, which resolves to the counts that replace them and the names of the `unsteady` tests,
 * which failed only the first time.
 */

/** A job whose command passes or fails as a whole. */
export const check = (title, command, ...args) => ({
  async run(logs) {
    const { code } = await runLogged(logs, title, command, args);
    return code === 0 ? counts(1, []) : counts(0, [title]);
  },
});

/** A job: a script of package.json that runs jest. Each test counts. `rerun` runs only the files that failed. */
export const jestTier = (script) => ({
  async run(logs) {
    const first = await jestRun(logs, script, script, []);
    if (first.failed === 0 || first.failedFiles.length === 0) return first;
    return {
      ...first,
      async rerun() {
        const again = await jestRun(logs, script, `${script} again`, first.failedFiles);
        return {
          ...counts(first.passedElsewhere + again.passed, again.failures),
          unsteady: first.failures.filter((name) => !again.failures.includes(name)),
        };
      },
    };
  },
});

/** A job: a script of package.json that ends with its counts, "N passed, N failed". `rerun` runs all of it again. */
export const countedTier = (script) => ({
  async run(logs) {
    const first = await countedRun(logs, script, script);
    if (first.failed === 0) return first;
    return {
      ...first,
      async rerun() {
        const again = await countedRun(logs, script, `${script} again`);
        return { ...again, unsteady: again.failed === 0 ? first.failures : [] };
      },
    };
  },
});

const counts = (passed, failures, failed = failures.length) => ({ passed, failed, failures });

async function jestRun(logs, script, title, files) {
  const report = join(logs, `${fileName(title)}.json`);
  rmSync(report, { force: true });
  // A test that ran out of time may leave behind what would keep jest running.
  const words = [IS_SET_UP, '--ci', '--forceExit', '--json', `--outputFile=${report}`];
  const { code } = await runLogged(logs, title, 'npm', ['run', script, '--', ...words, ...files]);
  const suites = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
  const failures = [];
  const failedFiles = new Set();
  let passed = 0;
  let passedElsewhere = 0;
  for (const { name, status, assertionResults } of suites) {
    const file = relative(root, name);
    const failedTests = assertionResults.filter((test) => test.status === 'failed');
    failures.push(...failedTests.map((test) => `${script} › ${file} › ${test.fullName}`));
    // If a file cannot be loaded, there is no test to report, so report the file.
    if (status === 'failed' && failedTests.length === 0) failures.push(`${script} › ${file}`);
    if (status === 'failed') failedFiles.add(file);
  }
  for (const { name, assertionResults } of suites) {
    const passedInFile = assertionResults.filter((test) => test.status === 'passed').length;
    passed += passedInFile;
    if (!failedFiles.has(relative(root, name))) passedElsewhere += passedInFile;
  }
  // A run that fails without a failed test, or that runs no test, counts as one failure.
  if (failures.length === 0 && (code !== 0 || passed === 0)) failures.push(`${script} (exit code ${code})`);
  return { ...counts(passed, failures), failedFiles: [...failedFiles], passedElsewhere };
}

async function countedRun(logs, script, title) {
  const { code, output } = await runLogged(logs, title, 'npm', ['run', '--silent', script, '--', IS_SET_UP]);
  const [, passed, printed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [undefined, '0', '1'];
  // A run that fails without a failed check counts as one failure.
  const failed = code !== 0 && printed === '0' ? 1 : Number(printed);
  return counts(Number(passed), failed === 0 ? [] : [`${script} (${failed})`], failed);
}

const fileName = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

let countedSeconds = 0;

/**
 * The processor time, in seconds, of the child processes that have ended since the last call, including that of their
 * own child processes. It is 0 on systems other than Linux.
 */
export function takeProcessorSeconds() {
  if (!existsSync('/proc/self/stat')) return 0;
  // The fields of proc(5) after the program's name. `fields[13]` is "cutime" and `fields[14]` is "cstime", in
  // hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /su, '')
    .split(' ');
  const seconds = (Number(fields[13]) + Number(fields[14])) / 100;
  const newSeconds = seconds - countedSeconds;
  countedSeconds = seconds;
  return newSeconds;
}

/** Runs a command with its output in a file, and prints the file when the command has ended. */
async function runLogged(logs, title, command, args) {
  const path = join(logs, `${fileName(title)}.log`);
  const file = createWriteStream(path);
  const startedMs = Date.now();
  console.log(`== ${title} …`);
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  let processorSeconds = 0;
  child.once('exit', () => (processorSeconds = Math.round(takeProcessorSeconds())));
  const [code] = await once(child, 'close');
  file.end();
  await once(file, 'finish');
  const output = readFileSync(path, 'utf8');
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  console.log(
    `\n== ${title}: ${code === 0 ? 'done' : `exit code ${code}`} after ${seconds} s, ` +
      `with ${processorSeconds} s of processor time\n${output.trimEnd()}\n`,
  );
  return { code, output };
}
