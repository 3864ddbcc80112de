import './check-node.mjs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { runChild } from './run-child.mjs';

const { exitCode } = await runChild(process.execPath, [join(root, 'test/deploy/run.mjs')]);
process.exitCode = exitCode;
