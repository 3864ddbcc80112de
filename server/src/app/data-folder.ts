import { existsSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';
import { ServiceError } from '../platform/errors.js';
import { homeFolder } from '../platform/folders.js';

/**
 * The folder of the package: two levels above the folder of this file, and also two levels above the folder of the
 * bundle that contains this file.
 */
export const SERVER_FOLDER = join(import.meta.dirname, '../..');
/** The checkout, if the program runs from one. For an installed package it is some other folder. */
const CHECKOUT = join(SERVER_FOLDER, '..');
/** A folder that has at least one of these counts as a data folder that is in use. */
const CONTENTS = ['signpost.db', 'secret', 'postcodes'];

type Environment = Readonly<Record<string, string | undefined>>;

/** The facts that determine the data folder together with the environment variables. */
interface HostFacts {
  readonly cwd: string;
  /** The home folder; undefined if the user has none. */
  readonly home: string | undefined;
  readonly platform: NodeJS.Platform;
  readonly checkout: string;
}

function userFolder(
  { APPDATA: appData, XDG_DATA_HOME: xdgData }: Environment,
  { home, platform }: HostFacts,
): string {
  // The XDG specification says to ignore relative paths.
  const hasXdg = !['win32', 'darwin'].includes(platform) && xdgData?.startsWith('/') === true;
  if (hasXdg) return posix.join(xdgData, 'signpost');
  if (home === undefined)
    throw new ServiceError(
      'invalidRequest',
      'This user has no home folder, so there is no place for the data. Set SIGNPOST_DATA_DIR to a folder that it may write to.',
    );
  if (platform === 'win32') return win32.join(appData || win32.join(home, 'AppData', 'Roaming'), 'signpost');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'signpost');
  return posix.join(home, '.local', 'share', 'signpost');
}

/**
 * The data folder if none is configured: `data` in the working directory, if the working directory is the checkout that
 * the program runs from, or if `data` already holds an installation; otherwise the user's own data folder, which does
 * not depend on the working directory. Throws a ServiceError if the user's own folder is needed but the user has no
 * home folder.
 */
export function defaultDataFolder(environment: Environment, overrides: Partial<HostFacts> = {}): string {
  const host: HostFacts = {
    cwd: process.cwd(),
    home: homeFolder(),
    platform: process.platform,
    checkout: CHECKOUT,
    ...overrides,
  };
  const localFolder = join(host.cwd, 'data');
  const isLocal = host.cwd === host.checkout || CONTENTS.some((name) => existsSync(join(localFolder, name)));
  return isLocal ? localFolder : userFolder(environment, host);
}
