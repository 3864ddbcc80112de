import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { normalisePostcode } from '../postcodes/normalise-postcode.js';
import { ServiceError } from '../service-error.js';
import { bindWritten } from './operation-handler.js';

const SHOWN_CHARACTERS = 20;

const sampleHint =
  ' This server has only the sample directory; its operator imports the whole one with "signpost postcodes import".';

export const lookupPostcode = (directories: DirectoryStore) =>
  bindWritten(operations.lookupPostcode, ({ postcode }) => {
    const directory = directories.current();
    const result = directory.lookup(postcode);
    if (result === 'malformed') {
      throw new ServiceError(
        'invalidRequest',
        `"postcode" must be a UK postcode such as "SW1A 1AA", but is ${JSON.stringify(postcode.slice(0, SHOWN_CHARACTERS))}.`,
      );
    }
    if (result === undefined) {
      const canonical = normalisePostcode(postcode) ?? postcode;
      const hint = directory.info.isSample ? sampleHint : '';
      throw new ServiceError('notFound', `There is no postcode ${canonical} in the directory.${hint}`);
    }
    return result.json;
  });
