import { listOperatorEmails } from '../accounts/account-state.js';
import type { Finding } from '../platform/finding.js';
import { failingFinding, runningBrowserFindings } from './browser-findings.js';
import type { Config } from './config.js';
import type { Core } from './core.js';
import { collectFindings } from './findings.js';
import { databaseLocation, directoryInfoFinding, fallbackFinding } from './installation-findings.js';
import { inboxMailFinding } from './mail-finding.js';
import { runningNetworkFinding } from './network-finding.js';

type ExaminedParts = Pick<Core, 'installation' | 'directories' | 'capture' | 'countingProblem'>;

async function databaseFinding(
  config: Config,
  { countingProblem, installation }: ExaminedParts,
): Promise<Finding> {
  const name = 'Database and secret';
  const problem = await countingProblem();
  if (problem !== undefined) return { name, state: 'does not work', message: problem };
  const [warning] = installation.warnings;
  return warning === undefined
    ? {
        name,
        state: 'works',
        message: `the database can be written, and opens with its secret: ${databaseLocation(config)}`,
      }
    : { name, state: 'could be better', message: warning };
}

/** Runs the checks of a running server, which already has its browser, database and directory open. */
export async function examineRunning(
  config: Config,
  core: ExaminedParts,
  isSignUpOpen: boolean,
  mailFinding: () => Promise<Finding>,
): Promise<readonly Finding[]> {
  const { directories, capture, installation } = core;
  const { info } = directories.current();
  const nowMs = installation.clock();
  const state = capture.state();
  return collectFindings(config, {
    nowMs,
    database: async () => [await databaseFinding(config, core)],
    directory: () =>
      Promise.resolve(directories.isFallback() ? fallbackFinding(info) : directoryInfoFinding(info, nowMs)),
    captures: () => Promise.resolve([...runningBrowserFindings(state, config), ...failingFinding(state)]),
    network: () => Promise.resolve([runningNetworkFinding(state)]),
    isSignUpOpen: () => isSignUpOpen,
    mail: async () => [
      await mailFinding(),
      // If the database cannot be read, another finding says so.
      ...inboxMailFinding(config, await listOperatorEmails(installation.storage.db).catch(() => [])),
    ],
  });
}
