import { readSignUp } from '../accounts/sign-up.js';
import { createBackupDownloads } from '../backup/backup-download.js';
import type { ConsoleDeps } from '../console/routing/console-deps.js';
import { secretPlace } from '../secret/load-secret.js';
import type { Config } from './config.js';
import type { AppDeps, Core } from './core.js';
import { keptMailFinding } from './mail-finding.js';
import { examineRunning } from './running-findings.js';

type OperatorServices = Pick<
  ConsoleDeps,
  'signUp' | 'backups' | 'secretPlace' | 'directoryImports' | 'examine'
>;

/** The services that let operators do in the console what the command line does. */
export function operatorServices(
  config: Config,
  { randomBytes, log, monotonicMs }: AppDeps,
  core: Core,
): OperatorServices {
  const { installation, audit, directoryImports } = core;
  const { storage, clock } = installation;
  const { dataDir, databaseUrl, secret } = config;
  const mailFinding = keptMailFinding(config, monotonicMs);
  const common = { db: storage.db, audit, clock, randomBytes };
  return {
    signUp: config,
    backups: createBackupDownloads({
      ...common,
      place: { dataDir, databaseUrl, secret },
      onNoteFailed: (error) =>
        log.warn(
          { err: error },
          'The metrics will not show this backup: the data folder cannot be written to.',
        ),
    }),
    secretPlace: secretPlace(secret, dataDir),
    directoryImports,
    examine: async () => examineRunning(config, core, await readSignUp(storage, config), mailFinding),
  };
}
