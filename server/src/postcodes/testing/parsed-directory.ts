import { nearestPostcode, postcodeRecord } from '@signpost/contract';
import type { NearestQuery } from '../nearest.js';
import type { PostcodeDirectory } from '../postcode-directory.js';

const record = postcodeRecord.strict();
const records = nearestPostcode.strict().array();

/** A directory whose written answers are read again, and refused where they are not what the contract says. */
export function parsedDirectory(directory: PostcodeDirectory) {
  return {
    info: directory.info,
    lookup(input: string) {
      const found = directory.lookup(input);
      return typeof found === 'object' ? record.parse(JSON.parse(found.json)) : found;
    },
    validate: (input: string) => directory.validate(input),
    nearest: (query: NearestQuery) => records.parse(JSON.parse(directory.nearest(query))),
    autocomplete: (partial: string, limit: number) => directory.autocomplete(partial, limit),
  };
}
