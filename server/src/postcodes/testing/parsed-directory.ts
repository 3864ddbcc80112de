import {
  autocompletePostcodeResponse,
  findNearestPostcodesResponse,
  lookupPostcodeResponse,
  lookupPostcodesResponse,
  nearestPostcode,
  postcodeRecord,
  validatePostcodeResponse,
} from '@signpost/contract';
import { textOf } from '../../written-json.js';
import type { NearestQuery } from '../nearest.js';
import type { PostcodeDirectory } from '../postcode-directory.js';

const record = lookupPostcodeResponse.extend({ result: postcodeRecord.strict() }).strict();
const records = lookupPostcodesResponse.extend({ results: postcodeRecord.strict().array() }).strict();
const nearby = findNearestPostcodesResponse.extend({ results: nearestPostcode.strict().array() }).strict();
const validity = validatePostcodeResponse.strict();
const completions = autocompletePostcodeResponse.strict();

/** A directory whose written answers are read again, and refused where they are not what the contract says. */
export function parsedDirectory(directory: PostcodeDirectory) {
  return {
    info: directory.info,
    lookup(input: string) {
      const found = directory.lookup(input);
      return typeof found === 'object' ? record.parse(JSON.parse(found.json)).result : found;
    },
    lookupAll: (inputs: readonly string[]) => records.parse(JSON.parse(textOf(directory.lookupAll(inputs)))),
    validate: (input: string) => validity.parse(JSON.parse(directory.validate(input))),
    nearest: (query: NearestQuery) => nearby.parse(JSON.parse(textOf(directory.nearest(query)))).results,
    autocomplete: (partial: string, limit: number) =>
      completions.parse(JSON.parse(directory.autocomplete(partial, limit))).postcodes,
  };
}
