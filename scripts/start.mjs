import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root.mjs';
import { setUpToRun } from './set-up.mjs';

await setUpToRun();

// Run the server in this process, so that signals reach it and its exit code is ours.
const program = join(root, 'server/bin/signpost.js');
process.argv.splice(1, 1, program, 'start');
await import(pathToFileURL(program).href);
