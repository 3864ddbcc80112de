import { join } from 'node:path';
import { compile } from './build.mjs';
import { installCorpus } from './corpus-install.mjs';
import { root } from './root.mjs';
import { runChild } from './run-child.mjs';
import { setUp } from './set-up.mjs';

await setUp();
await compile('Building the benchmarks', ['--build', 'bench']);

const program = join(root, 'bench/dist/run.js');
const words = process.argv.slice(2);
if (words.includes('--corpus')) process.env.SIGNPOST_CORPUS = await installCorpus();
const { exitCode } = await runChild(process.execPath, [program, ...words]);
process.exitCode = exitCode;
