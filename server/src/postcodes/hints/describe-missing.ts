import { foreignCode } from './foreign-codes.js';
import type { PostcodeDirectory } from '../directory.js';
import { keyOfText, keysWithSlips } from '../table/normalise-postcode.js';
import { NO_KEY, outcodeOfKey, outcodeText, sectorOfKey } from '../table/postcode-key.js';
import { describeDeadOutcode, liveOutcode, nearestLiveSector } from './describe-beginning.js';
import { autocompleteRequest, outcodeRequest } from './helpful-request.js';

/**
 * Says what is known about a postcode that the directory does not have: which foreign code it looks like, that its
 * sector exists, what the nearest sector in use is, or what is wrong with its outcode. Empty if nothing is known.
 */
export function describeMissing(directory: PostcodeDirectory, text: string): string {
  const foreign = foreignCode(text);
  if (foreign !== undefined) return `It ${foreign}`;
  const keys = keysWithSlips(text);
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
