import type { Finding } from '../platform/finding.js';
import { fontsFinding, runningBrowserFindings } from './browser-findings.js';
import type { Config } from './config.js';
import type { Core } from './core.js';
import { runningNetworkFinding } from './network-finding.js';
import {
  backupFinding,
  dataFolderFinding,
  directoryInfoFinding,
  diskFinding,
  hostsFinding,
  proxyFinding,
  signUpFinding,
  standInFinding,
  variablesFinding,
} from './installation-findings.js';

type Examined = Pick<Core, 'installation' | 'directories' | 'capture' | 'countingProblem'>;

async function databaseFinding({ countingProblem, installation }: Examined): Promise<Finding> {
  const name = 'Database and secret';
  const problem = await countingProblem();
  if (problem !== undefined) return { name, state: 'does not work', message: problem };
  const [warning] = installation.warnings;
  return warning === undefined
    ? { name, state: 'works', message: 'the database can be written, and opens with its secret' }
    : { name, state: 'could be better', message: warning };
}

/** The checks of `signpost doctor` for a running server, which already has its browser, database and directory open. */
export async function examineRunning(
  config: Config,
  core: Examined,
  isSignUpOpen: boolean,
  mailFinding: () => Promise<Finding>,
): Promise<readonly Finding[]> {
  const { directories, capture, installation } = core;
  const { info } = directories.current();
  return [
    { name: 'Node.js', state: 'works', message: process.version },
    variablesFinding(config),
    await dataFolderFinding(config),
    await diskFinding(config),
    await databaseFinding(core),
    await backupFinding(config, installation.clock()),
    directories.isStandIn() ? standInFinding(info) : directoryInfoFinding(info, installation.clock()),
    ...runningBrowserFindings(capture.state(), config),
    runningNetworkFinding(capture.state()),
    await fontsFinding(),
    signUpFinding(config, isSignUpOpen),
    hostsFinding(config),
    proxyFinding(config),
    await mailFinding(),
  ];
}
