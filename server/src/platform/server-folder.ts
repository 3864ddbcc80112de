import { join } from 'node:path';

/** The folder of the server, two above this file and above the bundle that it becomes a part of. */
export const serverFolder = join(import.meta.dirname, '../..');
