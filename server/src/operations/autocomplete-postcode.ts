import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bindWritten } from './operation-handler.js';

export const autocompletePostcode = (directories: DirectoryStore) =>
  bindWritten(operations.autocompletePostcode, ({ partial, limit }) =>
    directories.current().autocomplete(partial, limit),
  );
