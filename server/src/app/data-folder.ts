import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix, win32 } from 'node:path';

/** The folder of the server, two above this file and above the bundle that it becomes a part of. */
export const SERVER_FOLDER = join(import.meta.dirname, '../..');
/** The checkout that this program is of; an installed package has another folder above its own. */
const CHECKOUT = join(SERVER_FOLDER, '..');
/** Of which a data folder that is in use has one at least. */
const CONTENTS = ['signpost.db', 'secret', 'postcodes'];

type Environment = Readonly<Record<string, string | undefined>>;

/** What the place depends on beside the environment. */
interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly checkout: string;
}

function userFolder(
  { APPDATA: appData, XDG_DATA_HOME: xdgData }: Environment,
  { home, platform }: Place,
): string {
  if (platform === 'win32') return win32.join(appData || win32.join(home, 'AppData', 'Roaming'), 'signpost');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'signpost');
  // The specification has a relative one ignored.
  const base = xdgData?.startsWith('/') === true ? xdgData : posix.join(home, '.local', 'share');
  return posix.join(base, 'signpost');
}

/**
 * The data folder where none is configured: `data` of a checkout, or of a folder that has one in use already; else the
 * user's own, so that a program that is started anywhere finds the same data.
 */
export function defaultDataFolder(environment: Environment, given: Partial<Place> = {}): string {
  const place: Place = {
    cwd: process.cwd(),
    home: homedir(),
    platform: process.platform,
    checkout: CHECKOUT,
    ...given,
  };
  const here = join(place.cwd, 'data');
  const isHere = place.cwd === place.checkout || CONTENTS.some((name) => existsSync(join(here, name)));
  return isHere ? here : userFolder(environment, place);
}
