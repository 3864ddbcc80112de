import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bindWritten } from './operation-handler.js';

export const lookupPostcodes = (directories: DirectoryStore) =>
  bindWritten(operations.lookupPostcodes, ({ postcodes }) => {
    const directory = directories.current();
    let found = 0;
    let results = '';
    for (const postcode of postcodes) {
      const result = directory.lookup(postcode);
      if (typeof result !== 'object') continue;
      results += found === 0 ? result.json : `,${result.json}`;
      found += 1;
    }
    return `{"results":[${results}],"found":${found},"notFound":${postcodes.length - found}}`;
  });
