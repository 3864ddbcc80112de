import './check-node.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jestConfig from '../jest.config.js';
import { printFaults } from './fault-table.mjs';
import { installNode, NODE_VERSIONS } from './install-node.mjs';
import { installPackages } from './install-packages.mjs';
import { root } from './root.mjs';
import { runChild } from './run-child.mjs';
import { setUp, setUpToTest } from './set-up.mjs';
import { githubJobs, IS_SET_UP, TIERS } from './tiers.mjs';

/** The set-up for each value of a tier's `setUp`. */
const SET_UPS = { everything: setUp, packages: installPackages, nothing: async () => {} };
const JEST = join(root, 'node_modules/jest/bin/jest.js');

/** Runs one tier of tests, with these arguments for jest or for the tier's program. Resolves to the exit code. */
async function runTier(name, words) {
  const tier = TIERS[name];
  if (tier === undefined) throw new Error(`There is no tier "${name}": scripts/tiers.mjs lists them.`);
  const nodeVersion = takeNodeVersion(words) ?? tier.node;
  if (!takeWord(words, IS_SET_UP)) await (tier.setUp === undefined ? setUpToTest : SET_UPS[tier.setUp])();
  const installed = await tier.install?.();
  const prepared = (await tier.prepare?.(installed)) ?? {};
  const chosenNode =
    nodeVersion === undefined ? undefined : (await installNode(NODE_VERSIONS[nodeVersion])).node;
  const node = prepared.node ?? chosenNode ?? process.execPath;
  const args =
    tier.program === undefined ? [JEST, ...jestWords(tier, words)] : [join(root, tier.program), ...words];

  const folder = mkdtempSync(join(tmpdir(), 'signpost-tier-'));
  const environment = { ...process.env, ...prepared.environment, TEST_TIER_FOLDER: folder };
  try {
    return await run(node, [...(prepared.flags ?? []), ...args], environment, limitOf(tier));
  } finally {
    printFaults(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Removes the option --node and its value from the arguments, and returns the value; undefined without the option.
 * Throws if the value is not a key of NODE_VERSIONS.
 */
function takeNodeVersion(words) {
  const index = words.indexOf('--node');
  if (index === -1) return undefined;
  const [, version] = words.splice(index, 2);
  if (NODE_VERSIONS[version] === undefined)
    throw new Error(`--node takes ${Object.keys(NODE_VERSIONS).join(' or ')}.`);
  return version;
}

/** Options of jest that choose tests by themselves. */
const CHOICES =
  /^(?:-o|-f|--(?:onlyChanged|changedSince|findRelatedTests|testPathPatterns|lastCommit|onlyFailures))(?:=|$)/u;

function jestWords(tier, words) {
  const { folder, config, projects, leftOut, files = [], workers, sideBySide = false, testTimeoutMs } = tier;
  const choosesTests = words.some((word) => !word.startsWith('-') || CHOICES.test(word));
  if (projects !== undefined) {
    const first = workers === undefined ? [] : [`--maxWorkers=${workers}`];
    return [...first, ...words, ...(choosesTests ? [] : files), '--selectProjects', ...projects];
  }
  if (folder === undefined) return choosesTests ? words : [...words, '--ignoreProjects', ...leftOut];
  return [
    `--config=${config === undefined ? folderConfig(folder, testTimeoutMs) : join(root, config)}`,
    ...(sideBySide ? [] : ['--runInBand']),
    ...words,
  ];
}

/** Removes a word from the arguments. Returns whether it was there. */
function takeWord(words, word) {
  const index = words.indexOf(word);
  if (index !== -1) words.splice(index, 1);
  return index !== -1;
}

/** The jest configuration of the end-to-end tests as JSON, changed for the tests of another folder. */
function folderConfig(folder, testTimeout = jestConfig.testTimeout) {
  const endToEnd = jestConfig.projects.find(({ displayName }) => displayName === 'end to end');
  const project = { ...endToEnd, displayName: folder, testMatch: [`**/test/${folder}/*-test.ts`] };
  return JSON.stringify({ ...jestConfig, testTimeout, projects: [project] });
}

function limitOf({ limitMinutes, longLimitMinutes }) {
  return process.env.SIGNPOST_TEST_LONG === 'true' ? (longLimitMinutes ?? limitMinutes) : limitMinutes;
}

/**
 * Runs a program until it ends or the limit has passed. With a limit, the program runs in its own process group, so
 * that everything it has started ends with it. Without a limit, the program keeps the terminal, which jest reads from
 * when it watches files.
 */
async function run(command, args, env, limitMinutes) {
  if (limitMinutes === undefined) return (await runChild(command, args, { env })).exitCode;
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', detached: true, env });
  const end = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // No process of the group is left.
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
  const timeout = setTimeout(() => {
    console.error(`The tests were ended after ${limitMinutes} minutes.`);
    end('SIGKILL');
  }, limitMinutes * 60_000);
  const [code] = await once(child, 'exit');
  clearTimeout(timeout);
  end('SIGKILL');
  return code ?? 1;
}

/**
 * Installs what all tiers need from elsewhere, in the reverse order of the table: the tiers that come first there start
 * at once and install their own, and the later ones find theirs ready.
 */
async function installAll() {
  for (const { install } of Object.values(TIERS).toReversed()) await install?.();
}

/** Runs every tier that has a long form: more rounds, more minutes, or installations that compile. */
function runLong() {
  const env = { ...process.env, SIGNPOST_TEST_LONG: 'true' };
  const scripts = Object.keys(TIERS).filter((name) => TIERS[name].hasLongForm);
  const codes = scripts.map(
    (script) => spawnSync('npm', ['run', script], { cwd: root, env, stdio: 'inherit' }).status,
  );
  return codes.every((code) => code === 0) ? 0 : 1;
}

// node scripts/tier.mjs NAME [arguments for jest], or one of the options below
const [name, ...words] = process.argv.slice(2);
try {
  if (name === '--long') process.exitCode = runLong();
  else if (name === '--install') await installAll();
  else if (name === '--github-jobs') console.log(JSON.stringify(githubJobs()));
  else process.exitCode = await runTier(name, words);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
