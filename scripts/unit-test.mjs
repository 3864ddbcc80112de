import './check-node.mjs';
import { installNode } from './install-node.mjs';
import { installPackages } from './install-packages.mjs';
import { jestProgram } from './jest-program.mjs';
import { runChild } from './run-child.mjs';

/** The projects of jest.config.js that need neither a build nor a browser nor a database server. */
const PROJECTS = ['contract', 'mcp', 'server', 'n8n'];
/** Runs them with the newer Node.js, which is installed into a cache folder. */
const NEWER_NODE = '--newer-node';

await installPackages();
const words = process.argv.slice(2);
const [command, ...args] = jestProgram(words.includes(NEWER_NODE) ? (await installNode()).node : undefined);
const { exitCode } = await runChild(command, [
  ...args,
  // They wait for nothing.
  '--maxWorkers=100%',
  ...words.filter((word) => word !== NEWER_NODE),
  '--selectProjects',
  ...PROJECTS,
]);
process.exitCode = exitCode;
