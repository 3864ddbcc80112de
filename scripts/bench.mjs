import { join } from 'node:path';
import { compile } from './build.mjs';
import { root } from './root.mjs';
import { runChild } from './run-child.mjs';
import { setUp } from './set-up.mjs';

await setUp();
await compile('Building the benchmarks', ['--build', 'bench']);

const program = join(root, 'bench/dist/run.js');
const { exitCode } = await runChild(process.execPath, [program, ...process.argv.slice(2)]);
process.exitCode = exitCode;
