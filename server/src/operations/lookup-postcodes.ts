import { operations, type PostcodeRecord } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bindJson } from './operation-handler.js';

export const lookupPostcodes = (directories: DirectoryStore) =>
  bindJson(operations.lookupPostcodes, ({ postcodes }) => {
    const directory = directories.current();
    const results: PostcodeRecord[] = [];
    for (const postcode of postcodes) {
      const result = directory.lookup(postcode);
      if (typeof result === 'object') results.push(result);
    }
    return { results, found: results.length, notFound: postcodes.length - results.length };
  });
