import { jestProgram } from './jest-program.mjs';
import { runChild } from './run-child.mjs';
import { setUp } from './set-up.mjs';

await setUp();
const [command, ...args] = jestProgram();
const { exitCode } = await runChild(command, [...args, ...process.argv.slice(2)]);
process.exitCode = exitCode;
