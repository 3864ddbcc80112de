import { foreignCode } from './foreign-codes.js';
import type { PostcodeDirectory } from '../directory.js';
import { keyOfText, possibleKeys } from '../table/normalise-postcode.js';
import { NO_KEY, outcodeOfKey, outcodeText, sectorOfKey } from '../table/postcode-key.js';
import { describeDeadOutcode, liveOutcode, nearestLiveSector } from './describe-beginning.js';
import { autocompleteRequest, outcodeRequest } from './helpful-request.js';

/**
 * Returns a hint about a postcode that the directory does not have: the kind of foreign code that it looks like; that
 * its sector exists, or which sector of its outcode is the nearest in use; or what is wrong with its outcode. Empty if
 * there is nothing to say.
 */
export function describeMissing(directory: PostcodeDirectory, text: string): string {
  const foreign = foreignCode(text);
  if (foreign !== undefined) return `It ${foreign}`;
  const keys = possibleKeys(text);
  const outcodeOf = (key: number) => outcodeText(outcodeOfKey(key));
  const key = keys.find((one) => liveOutcode(directory, outcodeOf(one)) !== undefined) ?? keys[0] ?? NO_KEY;
  const outcode = outcodeOf(key);
  const sector = `${outcode} ${sectorOfKey(key)}`;
  const nearest = nearestLiveSector(directory, outcode, sectorOfKey(key));
  if (nearest === undefined)
    return keyOfText(text) === NO_KEY && keys.length > 1 ? '' : describeDeadOutcode(directory, outcode);
  const advice = `For its postcodes ask ${autocompleteRequest(nearest)}, about its outcode ${outcodeRequest(outcode)}.`;
  return nearest === sector
    ? `The sector ${sector} exists. ${advice}`
    : `${sector} is not a sector in use. The nearest one is ${nearest}. ${advice}`;
}
