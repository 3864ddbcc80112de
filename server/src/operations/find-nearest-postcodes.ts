import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bindJson } from './operation-handler.js';

export const findNearestPostcodes = (directories: DirectoryStore) =>
  bindJson(operations.findNearestPostcodes, (query) => ({ results: directories.current().nearest(query) }));
