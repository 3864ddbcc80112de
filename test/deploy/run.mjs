import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, close, failed, total } from '../mcp-conformance/report.mjs';
import { contextCopier } from './build-context.mjs';
import { buildImage } from './build-image.mjs';
import { checkCaddy } from './check-caddy.mjs';
import { checkFiles, makeEnvironment } from './check-files.mjs';
import { checkImage } from './check-image.mjs';
import { checkServers } from './check-servers.mjs';
import { checkUnit } from './check-unit.mjs';
import { installInRoot, mountSystem, runInRoot, unmountSystem } from './chroot.mjs';
import { openRuntime } from './container.mjs';
import { addNode, makeDebianRoot } from './debian-root.mjs';
import { parseDockerfile } from './dockerfile.mjs';
import { readDocuments } from './documents.mjs';
import { openSwitch } from './network.mjs';
import { runCommand } from './run-command.mjs';
import { step } from './step.mjs';

const DEADLINE_MS = 30 * 60_000;
/** The programs that read the files of deploy/, and those that stand in for the images of others. */
const TOOLS = [
  'caddy',
  'crun',
  'haproxy',
  'postgresql',
  'prometheus',
  'python3-yaml',
  'systemd',
  'tini',
  'wget',
];

const root = join(import.meta.dirname, '../..');
const { DEPLOY_FOLDER: folder, DEPLOY_CACHE: cache, DEPLOY_NODE_VERSION: nodeVersion } = process.env;

/** What steps of the build need of this machine: names, packages that were fetched before, and its npm registry. */
function buildSurroundings() {
  const packages = join(cache, 'debian-packages');
  mkdirSync(packages, { recursive: true });
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  const debian = [
    { source: '/etc/resolv.conf', target: 'etc/resolv.conf', isFile: true },
    { source: packages, target: 'var/cache/apt/archives' },
  ];
  return {
    debian,
    npm: [
      ...debian,
      { source: process.env.DEPLOY_NPM_CACHE, target: 'tmp/npm-cache' },
      ...(certificates ? [{ source: certificates, target: 'tmp/npm-ca.crt', isFile: true }] : []),
    ],
    environment: {
      npm_config_registry: process.env.DEPLOY_NPM_REGISTRY,
      npm_config_cache: '/tmp/npm-cache',
      npm_config_update_notifier: 'false',
      ...(certificates ? { NODE_EXTRA_CA_CERTS: '/tmp/npm-ca.crt' } : {}),
    },
  };
}

async function makeTools(base, binds) {
  const tools = join(folder, 'tools');
  await runCommand('cp', ['--archive', base, tools]);
  await mountSystem(tools, binds);
  // The user of the official image of PostgreSQL, before a package takes its number.
  await runInRoot(tools, ['useradd', '--uid', '999', '--user-group', 'postgres-of-the-image']);
  await installInRoot(tools, TOOLS);
  await unmountSystem(tools, binds);
  return tools;
}

/** Runs checks that the next ones do not build on. */
const apart = (what, work) => work().catch((error) => failed(`the checks of ${what}`, error));

async function checkAll() {
  const stages = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const [, major, release] = /^node:(\d+)-(\w+)-slim$/u.exec(stages[0].base);
  const surroundings = buildSurroundings();
  const documents = readDocuments(root);
  mkdirSync(process.env.DEPLOY_NPM_CACHE, { recursive: true });
  // What the run writes into its folder is for the users of the containers, too.
  process.umask(0o022);

  await check('Dockerfile: its Node is of the major version that is here to check it', async () => {
    if (!nodeVersion.startsWith(`${major}.`))
      throw new Error(`The Dockerfile has ${major}, the checks ${nodeVersion}.`);
  });
  const base = join(folder, 'base');
  await step(`A clean root of Debian ${release} is made`, async () => {
    await makeDebianRoot({ folder, release, target: base });
    addNode(base, { nodeFolder: process.env.DEPLOY_NODE_FOLDER, npmFolder: process.env.DEPLOY_NPM_FOLDER });
  });
  const toolsRoot = await step('The programs that read deploy/ are installed in a root', () =>
    makeTools(base, surroundings.debian),
  );
  const variables = await makeEnvironment({ root, folder });
  await checkFiles({ root, toolsRoot, variables, documents });

  const image = await step('Dockerfile: its own instructions build the image in clean roots', () =>
    buildImage({
      stages,
      folder,
      contextRoot: root,
      copyFromContext: contextCopier(root),
      makeBase: (name, target) =>
        name === 'scratch'
          ? runCommand('mkdir', ['--mode=755', target])
          : runCommand('cp', ['--archive', base, target]),
      binds: surroundings.npm,
      buildEnvironment: surroundings.environment,
    }),
  );
  console.log(`       It takes ${image.megabytes} MB.`);
  const runtime = await openRuntime({ folder, toolsRoot });
  const { plug } = await openSwitch(['default', 'front', 'database']);
  const common = { root, folder, toolsRoot, runtime, plug, image, variables, documents };
  await apart('the container', () => checkImage(common));
  await apart('Caddy', () => checkCaddy(common));
  await apart('the servers together', () => checkServers(common));
  await apart('the service', () => checkUnit({ ...common, debianBinds: surroundings.debian }));
}

/** What is not covered by any check, in words that the documents repeat. */
const NOT_CHECKED = [
  'Docker, Podman and Compose themselves: there is no container engine here, and its registries are not asked.',
  "The official images node, caddy, haproxy and postgres: Debian's packages and the npm package of Node stand in for them.",
  'Other processors than that of this machine, such as arm64, and what only a registry keeps: provenance and digests.',
  "Memory and process limits, restart policies and log drivers: they are the engine's.",
];

let isFinishing = false;
async function finish() {
  if (isFinishing) return;
  isFinishing = true;
  close();
  console.log(`\n${NOT_CHECKED.map((line) => `Not checked: ${line}`).join('\n')}`);
  // The processes that were started end with this one, which is the first of their namespace.
  process.exit(total() ? 0 : 1);
}

setTimeout(() => {
  failed(
    'all checks',
    `They were ended after ${DEADLINE_MS / 60_000} minutes; what comes after was left out.`,
  );
  void finish();
}, DEADLINE_MS);
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, (error) => failed('an error in this process that nobody handled', error));

try {
  await checkAll();
} catch (error) {
  failed('all checks', error);
}
await finish();
