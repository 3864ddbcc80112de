import './check-node.mjs';
import { installNode, NODE_VERSIONS } from './install-node.mjs';
import { installPackages } from './install-packages.mjs';
import { jestProgram } from './jest-program.mjs';
import { runChild } from './run-child.mjs';

/** The projects of jest.config.js that need no build, browser or database server. */
const PROJECTS = ['contract', 'mcp', 'server', 'n8n'];

const words = process.argv.slice(2);

/** The Node.js that `--node 22` asks for, installed into a cache folder; undefined without that option. */
async function chosenNode() {
  const at = words.indexOf('--node');
  if (at === -1) return undefined;
  const [, major] = words.splice(at, 2);
  const version = NODE_VERSIONS[major];
  if (version !== undefined) return (await installNode(version)).node;
  console.error(`--node takes ${Object.keys(NODE_VERSIONS).join(' or ')}.`);
  process.exit(1);
}

await installPackages();
const [command, ...args] = jestProgram(await chosenNode());
const { exitCode } = await runChild(command, [
  ...args,
  // These tests never wait, so one worker per core is enough.
  '--maxWorkers=100%',
  ...words,
  '--selectProjects',
  ...PROJECTS,
]);
process.exitCode = exitCode;
