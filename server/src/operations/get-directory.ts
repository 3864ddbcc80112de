import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { bindQuery } from './operation-handler.js';

export const getDirectory = (directories: DirectoryStore) =>
  bindQuery(operations.getDirectory, () => {
    const { edition, source, rows, importedAt, isSample } = directories.current().info;
    return { edition, source, postcodes: rows, importedAt, isSample };
  });
