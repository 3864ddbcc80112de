import { join } from 'node:path';
import { root } from './root.mjs';

/** The command that runs jest with this Node.js, or another; jest hands the options on to its workers. */
export const jestProgram = (node = process.execPath) => [
  node,
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
];
