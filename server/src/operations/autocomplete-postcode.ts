import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bindJson } from './operation-handler.js';

export const autocompletePostcode = (directories: DirectoryStore) =>
  bindJson(operations.autocompletePostcode, ({ partial, limit }) => ({
    postcodes: directories.current().autocomplete(partial, limit),
  }));
