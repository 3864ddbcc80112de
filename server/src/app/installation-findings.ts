import { access, constants, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import { readLastBackupMs } from '../backup/last-backup.js';
import type { Clock } from '../platform/clock.js';
import { errorCode } from '../platform/errors.js';
import { failedFinding, type Finding } from '../platform/finding.js';
import { readDiskSpace } from '../platform/folders.js';
import { isLoopbackHost } from '../platform/networks.js';
import { HOUR_MS } from '../platform/time-units.js';
import { openDirectoryStore, readCurrentInfo } from '../postcodes/directory-store.js';
import { directoryFolder } from '../postcodes/file/directory-folder.js';
import { editionWarnings, IMPORT_LATEST } from '../postcodes/edition-warnings.js';
import type { DirectoryInfo } from '../postcodes/table/directory-data.js';
import { sqliteFileIn } from '../storage/sqlite/database-file.js';
import type { Config } from './config.js';
import { localUrl } from './local-url.js';
import { servedNames } from './served-names.js';

/**
 * If less space is free than this, the finding about the disk says so. One import and a few backups can use up this
 * much.
 */
const LITTLE_BYTES = 1_000_000_000;
/**
 * If the newest backup is older than this, the finding about backups says so. The alert on old backups uses the same
 * age.
 */
const OLD_BACKUP_MS = 36 * HOUR_MS;
const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY_READ = 0o055;

/** What other users may do in a folder; undefined if nothing, or if the system has no permission bits. */
function rightsOfOthers(mode: number): string | undefined {
  if (process.getuid === undefined) return undefined;
  if ((mode & OTHERS_MAY_WRITE) !== 0) return 'change';
  return (mode & OTHERS_MAY_READ) === 0 ? undefined : 'look into';
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    (error: unknown) => errorCode(error) !== 'ENOENT',
  );

const OTHER_FOLDER = 'Set SIGNPOST_DATA_DIR to a folder that this user may write to.';
const START_OR_SET =
  'npx signpost start makes it. If the data is elsewhere, set SIGNPOST_DATA_DIR to its folder.';

/** The user that runs this process, such as "the user ada". A user without a name has only a number. */
function userName(): string {
  try {
    return `the user ${userInfo().username}`;
  } catch {
    return `the user with the number ${process.getuid?.() ?? '?'}`;
  }
}

/** The owner of a folder; undefined if that is the current user, or if the system has no numbered users. */
const otherOwner = (uid: number): string | undefined =>
  process.getuid === undefined || process.getuid() === uid ? undefined : `the user with the number ${uid}`;

/** The location of the database, without user and password. */
export function databaseLocation({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): string {
  if (databaseUrl === undefined) return sqliteFileIn(dataDir);
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}

/** Whether the data folder can be used, and only by this user. Does not create it. */
export async function dataFolderFinding({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  const name = 'Data folder';
  try {
    if (!(await exists(dataDir))) {
      return {
        name,
        state: 'could be better',
        message: `${dataDir} does not exist yet`,
        advice: START_OR_SET,
      };
    }
    await access(dataDir, constants.R_OK | constants.W_OK);
    const stats = await stat(dataDir);
    if (!stats.isDirectory())
      return {
        name,
        state: 'does not work',
        message: `${dataDir} is not a folder`,
        advice: OTHER_FOLDER,
      };
    const { mode, uid } = stats;
    const rights = rightsOfOthers(mode);
    const owner = otherOwner(uid);
    if (owner !== undefined)
      return {
        name,
        state: 'could be better',
        message: `${dataDir} belongs to ${owner}, but this command runs as ${userName()}: the server could not read files made now`,
        advice: `Run commands as the user of the server, with its variables: sudo -u '#${uid}' npx signpost …`,
      };
    if (rights === undefined) return { name, state: 'works', message: `${dataDir}, used as ${userName()}` };
    return {
      name,
      state: 'could be better',
      message: `other users of this machine can ${rights} ${dataDir} (mode ${(mode & 0o777).toString(8)})`,
      advice: `chmod 700 ${dataDir}`,
    };
  } catch (error) {
    return { ...failedFinding(name, error), advice: OTHER_FOLDER };
  }
}

/** Lists the variables that are set: a service often does not have those of the shell. */
export const variablesFinding = ({ setVariables }: Pick<Config, 'setVariables'>): Finding => ({
  name: 'Variables',
  state: 'works',
  message: setVariables.length === 0 ? 'none is set, so every default applies' : setVariables.join(', '),
});

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

/** Whether the disk of the data folder has space left. */
export async function diskFinding(
  { dataDir }: Pick<Config, 'dataDir'>,
  readSpace = readDiskSpace,
): Promise<Finding> {
  const name = 'Disk';
  const space = await readSpace(dataDir);
  if (space === undefined) {
    return {
      name,
      state: 'could be better',
      message: `the free space on the disk of ${dataDir} cannot be read`,
      advice: 'Set SIGNPOST_DATA_DIR to an existing folder that this user may use.',
    };
  }
  const message = `${gigabytes(space.freeBytes)} of ${gigabytes(space.sizeBytes)} are free on the disk of the data folder`;
  if (space.freeBytes >= LITTLE_BYTES) return { name, state: 'works', message };
  const advice = 'Make room there, or set SIGNPOST_DATA_DIR to a folder on a larger disk.';
  return { name, state: 'could be better', message, advice };
}

const MAKE_BACKUP = 'npx signpost backup backups --keep 14';

/** Whether there is a recent backup. */
export async function backupFinding({ dataDir }: Pick<Config, 'dataDir'>, nowMs: number): Promise<Finding> {
  const name = 'Backup';
  const lastMs = await readLastBackupMs(dataDir);
  const at = new Date(lastMs).toISOString().slice(0, 16).replace('T', ' ');
  const message =
    lastMs === 0 ? 'none was made from this data folder yet' : `the newest was made at ${at} UTC`;
  if (lastMs - nowMs > HOUR_MS)
    return {
      name,
      state: 'could be better',
      message: `${message}, which is in the future: the clock of this machine is or was wrong`,
      advice: `Set the clock (timedatectl set-ntp true), then: ${MAKE_BACKUP}`,
    };
  return nowMs - lastMs <= OLD_BACKUP_MS
    ? { name, state: 'works', message }
    : { name, state: 'could be better', message, advice: MAKE_BACKUP };
}

type Addresses = Pick<Config, 'host' | 'port' | 'publicUrl' | 'trustProxy' | 'isSignUpOpen'>;

const urlOf = ({ publicUrl, host, port }: Addresses) => publicUrl ?? localUrl(host, port);

const DIRECTORY = 'Postcode directory';

/** Whether the directory in use is complete and recent. */
export function directoryInfoFinding(info: DirectoryInfo, nowMs: number): Finding {
  const [name, advice] = [DIRECTORY, IMPORT_LATEST];
  const message = `${info.source} ${info.edition}, ${info.rows.toLocaleString('en-GB')} postcodes`;
  if (info.isSample) {
    return { name, state: 'could be better', message: `only the sample of ${info.rows} postcodes`, advice };
  }
  if (!info.hasDetails) {
    const older = `${message}; an older version of Signpost imported it, without codes, areas and history`;
    return { name, state: 'could be better', message: older, advice };
  }
  const warnings = editionWarnings(info, nowMs);
  return warnings.length === 0
    ? { name, state: 'works', message }
    : {
        name,
        state: 'could be better',
        message: `${message}: this edition ${warnings.join('; it ')}`,
        advice,
      };
}

/** The finding if the directory could not be read and the sample is used instead. */
export const fallbackFinding = ({ rows }: DirectoryInfo): Finding => ({
  name: DIRECTORY,
  state: 'does not work',
  message: `the imported directory cannot be read, so lookups use the sample of ${rows} postcodes`,
  advice: IMPORT_LATEST,
});

/** Like `directoryInfoFinding`, for the directory in a data folder, which it reads completely to find damage. */
export async function directoryFinding({ dataDir }: Pick<Config, 'dataDir'>, clock: Clock): Promise<Finding> {
  // Opening a store would create its folder, and the doctor must change nothing.
  if (!(await exists(directoryFolder(dataDir))))
    return directoryInfoFinding(await readCurrentInfo(dataDir), clock());
  const errors: unknown[] = [];
  const store = await openDirectoryStore({ dataDir, onError: (error) => errors.push(error) });
  const { info } = store.current();
  await store.close();
  const [error] = errors;
  return error === undefined
    ? directoryInfoFinding(info, clock())
    : { ...failedFinding(DIRECTORY, error), advice: IMPORT_LATEST };
}

/** Whether other machines can reach the server, as far as its settings tell. */
function isPublic(config: Addresses): boolean {
  const host = config.publicUrl === undefined ? config.host : new URL(config.publicUrl).hostname;
  return !isLoopbackHost(host);
}

/**
 * Says whether anyone can sign up: as `isSignUpOpen` says or, if that is undefined, as the settings or their default
 * say. SIGNPOST_SIGNUP takes precedence over an operator's choice: callers see to that.
 */
export function signUpFinding(config: Addresses, isSignUpOpen = config.isSignUpOpen): Finding {
  const name = 'Sign-up';
  if (!isSignUpOpen) return { name, state: 'works', message: 'closed: operators make the accounts' };
  if (!isPublic(config)) return { name, state: 'works', message: 'open, only to this machine' };
  return {
    name,
    state: 'could be better',
    message: `open: anyone who can reach ${urlOf(config)} can make an account, with keys and captures`,
    advice:
      'Close it under Operator, Maintenance, or with SIGNPOST_SIGNUP=closed. Operators then make the accounts.',
  };
}

/** Which host names the server accepts. */
export function hostsFinding(config: Parameters<typeof servedNames>[0]): Finding {
  const name = 'Host names';
  const names = servedNames(config);
  if (names.includes('*')) {
    return {
      name,
      state: 'could be better',
      message:
        'every name is served, so a foreign page can reach the server through its visitors (DNS rebinding)',
      advice: 'Set SIGNPOST_ALLOWED_HOSTS to the names that the server has.',
    };
  }
  const dotted = names.filter((one) => one.includes('.') && isIP(one) === 0);
  const message = ['IP addresses', 'names without a dot', ...dotted].join(', ');
  return { name, state: 'works', message: `${message}; SIGNPOST_ALLOWED_HOSTS adds more` };
}

/** Whether keys and passwords cross the network unencrypted. */
export function plainHttpFinding({ host, port, publicUrl }: Addresses): Finding {
  const name = 'Encryption';
  if (publicUrl?.startsWith('https:') === true) {
    const others = isLoopbackHost(host)
      ? ''
      : `; let only the proxy reach port ${port}, where the server speaks http`;
    return { name, state: 'works', message: `callers use ${publicUrl}${others}` };
  }
  const isLocal = isLoopbackHost(host);
  if (isLocal && (publicUrl === undefined || isLoopbackHost(new URL(publicUrl).hostname)))
    return { name, state: 'works', message: 'not needed, because only this machine can reach the server' };
  const way = isLocal
    ? `callers use ${publicUrl}`
    : `other machines are let in by http at ${host}, port ${port}`;
  return {
    name,
    state: 'could be better',
    message: `${way}: anyone between can read keys and passwords`,
    advice:
      'Put a proxy with TLS in front, set SIGNPOST_PUBLIC_URL to its https address, and if it is on this machine SIGNPOST_HOST=127.0.0.1. deploy/Caddyfile is an example.',
  };
}

/** Whether callers behind a proxy are told apart. The server speaks only http, so an https URL is that of a proxy. */
export function proxyFinding({ publicUrl, trustProxy }: Addresses): Finding {
  const name = 'Trusted proxies';
  if (trustProxy.length > 0) return { name, state: 'works', message: trustProxy.join(', ') };
  if (publicUrl?.startsWith('https:') !== true) return { name, state: 'works', message: 'none' };
  return {
    name,
    state: 'could be better',
    message: `none, but a proxy must be in front of ${publicUrl}: without this, all callers count as one address`,
    advice: 'Set SIGNPOST_TRUST_PROXY to the address that the proxy connects from, such as 127.0.0.1.',
  };
}
