import { join } from 'node:path';
import type { PasswordHasher } from '../accounts/password.js';
import { readSignUp } from '../accounts/sign-up.js';
import { createAuditReader } from '../audit/read-audit.js';
import { createBackupDownloads } from '../backup/backup-download.js';
import { Documents } from '../console/library/documents.js';
import type { ConsoleDeps } from '../console/routing/console-deps.js';
import { secretToKeep } from '../secret/load-secret.js';
import { createSecondFactorSealer } from '../tokens/encryption-key.js';
import { createRequestHistory } from '../usage/read-counts.js';
import { createUsageService } from '../usage/read-key-usage.js';
import type { Config } from './config.js';
import type { AppDeps, Core } from './core.js';
import { SERVER_FOLDER } from './data-folder.js';
import { linkSealerOf } from './links.js';
import { cachedMailFinding } from './mail-finding.js';
import { createInboxNews } from './mail.js';
import { examineRunning } from './running-findings.js';

type OperatorServices = Pick<
  ConsoleDeps,
  'signUp' | 'backups' | 'secretToKeep' | 'directoryImports' | 'examine' | 'mustOperatorsHaveSecondFactor'
>;

/** The services with which operators run the server from the console, such as backups and imports. */
function operatorServices(
  config: Config,
  { randomBytes, log, monotonicMs }: AppDeps,
  core: Core,
): OperatorServices {
  const { installation, audit, directoryImports } = core;
  const { storage, clock } = installation;
  const { dataDir, databaseUrl, secret, mustOperatorsHaveSecondFactor } = config;
  const mailFinding = cachedMailFinding(config, monotonicMs);
  return {
    signUp: config,
    backups: createBackupDownloads({
      db: storage.db,
      audit,
      clock,
      randomBytes,
      location: { dataDir, databaseUrl, secret },
      onNoteFailed: (error) =>
        log.warn(
          { err: error },
          'Servers will not know about this backup, and go on showing the previous one: the data folder cannot be written to.',
        ),
    }),
    secretToKeep: secretToKeep(secret, dataDir),
    directoryImports,
    examine: async () => examineRunning(config, core, await readSignUp(storage, config), mailFinding),
    mustOperatorsHaveSecondFactor,
  };
}

/** The parts of the server that the console gets from `createServer`. */
interface ConsoleParts extends Pick<
  ConsoleDeps,
  | 'rejectionLimit'
  | 'strangers'
  | 'bodies'
  | 'operations'
  | 'calls'
  | 'oauth'
  | 'notifications'
  | 'publicUrl'
  | 'isProxyIgnored'
> {
  readonly passwordHasher: PasswordHasher;
}

export function consoleServices(
  config: Config,
  deps: AppDeps,
  core: Core,
  { passwordHasher, ...parts }: ConsoleParts,
): ConsoleDeps {
  const { monotonicMs, randomBytes, log } = deps;
  const { installation, directories, capture, throttle, tokens, recorder, audit } = core;
  const { storage, clock, keyPepper, keyEncryptionKey, formKey } = installation;
  const { db } = storage;
  return {
    ...parts,
    ...operatorServices(config, deps, core),
    domain: {
      db,
      clock,
      randomBytes,
      audit,
      keyPepper,
      keyEncryptionKey,
      throttle,
      passwordHasher,
      sealer: createSecondFactorSealer({ clock, randomBytes, keyEncryptionKey }),
      linkSealer: linkSealerOf(core, deps),
      tokens,
      inboxNews: createInboxNews({ db, log, notifications: parts.notifications, monotonicMs }),
    },
    monotonicMs,
    log,
    formKey: formKey.export().toString('hex'),
    usage: createUsageService({ db, clock }),
    history: createRequestHistory({ db, clock, flush: () => recorder.flush() }),
    audit: createAuditReader(db),
    documents: new Documents(join(SERVER_FOLDER, 'dist/documents')),
    directories,
    capture,
    contact: config.contact,
    defaultLimits: config.defaultLimits,
    accountLimits: config.accountLimits,
    capturesPerAccount: config.capturesPerAccount,
    isHttps: config.publicUrl?.startsWith('https:') ?? false,
  };
}
