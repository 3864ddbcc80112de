import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bindWritten } from './operation-handler.js';

export const validatePostcode = (directories: DirectoryStore) =>
  bindWritten(operations.validatePostcode, ({ postcode }) => directories.current().validate(postcode));
