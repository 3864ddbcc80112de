import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bindJson } from './operation-handler.js';

export const validatePostcode = (directories: DirectoryStore) =>
  bindJson(operations.validatePostcode, ({ postcode }) => directories.current().validate(postcode));
