import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bindWritten } from './operation-handler.js';

export const findNearestPostcodes = (directories: DirectoryStore) =>
  bindWritten(operations.findNearestPostcodes, (query) => directories.current().nearest(query));
