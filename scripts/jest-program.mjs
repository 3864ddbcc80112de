import { join } from 'node:path';
import { root } from './root.mjs';

/** The command that runs jest, with this Node.js by default. */
export const jestProgram = (node = process.execPath) => [node, join(root, 'node_modules/jest/bin/jest.js')];
