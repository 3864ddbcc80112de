import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bindWritten } from './operation-handler.js';

export const lookupPostcodes = (directories: DirectoryStore) =>
  bindWritten(operations.lookupPostcodes, ({ postcodes }) => directories.current().lookupAll(postcodes));
