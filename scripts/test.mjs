import { join } from 'node:path';
import { root } from './root.mjs';
import { runChild } from './run-child.mjs';
import { setUp } from './set-up.mjs';

await setUp();

// Jest hands these options on to its workers.
const nodeOptions = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const jest = join(root, 'node_modules/jest/bin/jest.js');
const { exitCode } = await runChild(process.execPath, [...nodeOptions, jest, ...process.argv.slice(2)]);
process.exitCode = exitCode;
