import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bindJson } from './operation-handler.js';

export const findPostcodesInText = (directories: DirectoryStore) =>
  bindJson(operations.findPostcodesInText, ({ text }) => ({
    results: directories.current().findInText(text),
  }));
