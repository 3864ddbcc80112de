import { failedFinding, type Finding } from '../platform/finding.js';
import type { Config } from './config.js';
import { fontsFinding } from './browser-findings.js';
import { mailedLinksFinding } from './mail-finding.js';
import { outboundFindings } from './network-finding.js';
import {
  backupFinding,
  dataFolderFinding,
  diskFinding,
  hostsFinding,
  plainHttpFinding,
  proxyFinding,
  signUpFinding,
  variablesFinding,
} from './installation-findings.js';

/** The checks and facts that differ between the doctor and a running server. */
export interface FindingSources {
  readonly nowMs: number;
  readonly database: () => Promise<readonly Finding[]>;
  readonly directory: () => Promise<Finding>;
  /** The browsers and whether captures succeed. */
  readonly captures: () => Promise<readonly Finding[]>;
  readonly network: () => Promise<readonly Finding[]>;
  /**
   * Returns whether sign-up is open; undefined to take SIGNPOST_SIGNUP or, if that is not set, its default. An
   * operator's choice matters only if SIGNPOST_SIGNUP is not set.
   */
  readonly isSignUpOpen: () => boolean | undefined;
  readonly mail: () => Promise<readonly Finding[]>;
}

/** If the check itself fails, for example because a file is missing, that is a finding too. Other checks then go on. */
const runCheck = (name: string, check: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> =>
  check().catch((error: unknown) => [failedFinding(name, error)]);

/**
 * Runs every check that both `signpost doctor` and the Health page make, in the order in which both show the findings.
 * Add a new check here.
 */
export async function collectFindings(config: Config, sources: FindingSources): Promise<readonly Finding[]> {
  return [
    { name: 'Node.js', state: 'works', message: process.version },
    variablesFinding(config),
    await dataFolderFinding(config),
    await diskFinding(config),
    ...(await runCheck('Database and secret', sources.database)),
    await backupFinding(config, sources.nowMs),
    ...(await runCheck('Postcode directory', async () => [await sources.directory()])),
    ...(await runCheck('Network', sources.network)),
    ...(await outboundFindings(config, sources.nowMs)),
    ...(await runCheck('Browser', sources.captures)),
    ...(await runCheck('Fonts', async () => [await fontsFinding()])),
    signUpFinding(config, sources.isSignUpOpen()),
    hostsFinding(config),
    plainHttpFinding(config),
    proxyFinding(config),
    ...(await runCheck('Mail', sources.mail)),
    ...mailedLinksFinding(config),
  ];
}
