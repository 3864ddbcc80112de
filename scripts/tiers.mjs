import { homedir } from 'node:os';
import { join } from 'node:path';

/** Settings of a tier that runs the projects of jest.config.js which need no build, browser or database server. */
const UNIT = {
  setUp: 'packages',
  projects: ['contract', 'mcp', 'server', 'n8n'],
  // One worker for each core.
  workers: '100%',
};

/**
 * Paths of the unit tests that another Node.js can break: of code that uses files, the network, processes, streams or
 * compiled packages, and of the n8n nodes, which run in the Node.js of n8n.
 */
const NODE_DEPENDENT = [
  'contract/src/',
  'mcp/src/',
  'test/nodes/',
  'server/src/(?:app|backup|capture|cli|files|http|mail|platform|secret|storage)/',
  'server/src/(?:accounts/password|postcodes/directory-store|postcodes/import/|tokens/access-token)',
];

/** An argument for a tier of tests: the checkout is already set up. `.ci/run` sets it up once for all tiers. */
export const IS_SET_UP = '--is-set-up';

/**
 * Every tier of tests, by the name of its script in package.json. `.ci/run` starts them in this order: those that take
 * longest first, so that no slot is left with one at the end, and those that take two slots after the long ones that
 * take one, so that no slot waits for another. `scripts/tier.mjs` runs them; `.ci/run`, `npm run test:long` and the
 * workflow of GitHub, which a release waits for, choose from this table.
 *
 * - `folder`: the folder of `test/` whose `*-test.ts` files jest runs. Without it, jest runs the projects of
 *   `jest.config.js`, or only those in `projects`.
 * - `leftOut`: projects of `jest.config.js` that run only if the arguments choose tests
 * - `files`: paths of the tests that it runs, as regular expressions, unless the arguments choose others
 * - `workers`: how many files run at a time, as jest's `maxWorkers`, if not as in `jest.config.js`
 * - `config`: the jest configuration, if the folder has its own
 * - `testTimeoutMs`: the limit of one test, if not the one of `jest.config.js`
 * - `sideBySide`: runs several files at a time. Otherwise one after the other.
 * - `program`: runs this program instead of jest
 * - `setUp`: `everything` if the tier packs the packages, `packages` if no build and no browser is needed, `nothing` if
 *   not even packages are. Otherwise what tests need, which does not check types.
 * - `install`: installs programs from elsewhere into a cache folder, once
 * - `prepare`: takes the result of `install`; returns the environment for the tests, and the program's Node.js and its
 *   flags
 * - `node`: the major version of Node.js that runs the tests, if not the one that is installed
 * - `limitMinutes`, `longLimitMinutes`: after this time, in the short or the long form, everything that the tier has
 *   started is killed. Installations have their own limits.
 * - `hasLongForm`: whether `npm run test:long` runs it
 * - `ci`: `everywhere`, `local` (only `.ci/run`) or `github` (only the workflow). Without it, people run it by hand.
 * - `slots`: how many slots of `.ci/run` it takes, if more than one, because its own workers keep the machine busy
 * - `github`: the versions of Node.js and the Debian packages of its job in the workflow, and whether it runs as root
 */
export const TIERS = {
  test: {
    leftOut: ['captures', 'processes'],
    ci: 'everywhere',
    slots: 2,
    hasLongForm: true,
    github: { nodes: [20, 22, 24] },
  },
  'test:unit': { ...UNIT, ci: 'github', github: { nodes: [20, 22, 24] } },
  'test:n8n': {
    folder: 'n8n',
    install: async () => (await import('./n8n-install.mjs')).installN8n(),
    setUp: 'everything',
    prepare: prepareN8n,
    limitMinutes: 45,
    ci: 'everywhere',
  },
  // Separate from `npm test`, because it strains servers and disks.
  'test:faults': {
    folder: 'faults',
    testTimeoutMs: 300_000,
    limitMinutes: 25,
    longLimitMinutes: 120,
    hasLongForm: true,
    ci: 'everywhere',
    github: { asRoot: true },
  },
  // Needs a balancer that is not an npm package, and several servers at once.
  'test:cluster': {
    folder: 'cluster',
    testTimeoutMs: 240_000,
    prepare: prepareCluster,
    limitMinutes: 20,
    hasLongForm: true,
    ci: 'everywhere',
    github: { packages: 'haproxy libfaketime' },
  },
  // The program has its own deadline, and removes its containers itself.
  'test:deploy': {
    program: 'test/deploy/run.mjs',
    setUp: 'nothing',
    ci: 'everywhere',
    github: { asRoot: true },
  },
  // Only in `.ci/run`: GitHub's workflow runs all of `test:unit` in this version of Node.js.
  'test:unit:newer-node': { ...UNIT, files: NODE_DEPENDENT, node: 24, ci: 'local' },
  'test:mcp': {
    program: 'test/mcp-conformance/run.mjs',
    install: async () => (await import('./mcp-clients-install.mjs')).installMcpClients(),
    prepare: prepareMcp,
    // Longer than the checks can take, because they end by themselves at their own deadline.
    limitMinutes: 21,
    ci: 'everywhere',
  },
  'test:postgresql': {
    folder: 'postgresql',
    config: 'test/postgresql/jest.config.cjs',
    sideBySide: true,
    limitMinutes: 20,
    longLimitMinutes: 90,
    hasLongForm: true,
    ci: 'everywhere',
  },
  // Each package is installed with all dependencies from an empty cache.
  'test:packages': {
    folder: 'packages',
    testTimeoutMs: 600_000,
    setUp: 'everything',
    prepare: preparePackages,
    limitMinutes: 20,
    longLimitMinutes: 40,
    hasLongForm: true,
    ci: 'everywhere',
  },
  // Separate from `npm test`, because axe checks every page several times, which takes long.
  'test:accessibility': {
    folder: 'accessibility',
    sideBySide: true,
    limitMinutes: 20,
    longLimitMinutes: 90,
    hasLongForm: true,
    ci: 'everywhere',
  },
  // Separate from `npm test`, because more than a third of its time went into waiting for pages in a real browser.
  'test:captures': {
    projects: ['captures'],
    slots: 2,
    limitMinutes: 20,
    longLimitMinutes: 90,
    hasLongForm: true,
    ci: 'everywhere',
    github: { nodes: [20, 22, 24] },
  },
  // Separate from `npm test`, because to start a process takes longer than most tests.
  'test:processes': {
    projects: ['processes'],
    slots: 2,
    limitMinutes: 20,
    longLimitMinutes: 90,
    hasLongForm: true,
    ci: 'everywhere',
    github: { nodes: [20, 22, 24] },
  },
  'test:corpus': {
    folder: 'corpus',
    install: async () => (await import('./corpus-install.mjs')).installCorpus(),
    prepare: async (corpus) => ({ environment: { SIGNPOST_CORPUS: corpus } }),
    limitMinutes: 10,
    ci: 'everywhere',
    github: { packages: 'fonts-noto-cjk' },
  },
  // Separate from `npm test`, because few servers use remote browsers.
  'test:remote-browsers': {
    folder: 'remote-browsers',
    sideBySide: true,
    limitMinutes: 20,
    longLimitMinutes: 90,
    hasLongForm: true,
    ci: 'everywhere',
  },
  // Needs a proxy and a program from Debian packages. Without them, the tier says that it was skipped.
  'test:company-network': {
    folder: 'company-network',
    testTimeoutMs: 120_000,
    prepare: prepareCompanyNetwork,
    limitMinutes: 10,
    ci: 'everywhere',
    github: { packages: 'squid libnss3-tools' },
  },
  // Not in CI, because a busy machine has lower scores.
  'test:lighthouse': { program: 'test/lighthouse/run.mjs', prepare: prepareLighthouse, limitMinutes: 20 },
};

async function preparePackages() {
  const { packPackages } = await import('./pack-packages.mjs');
  const { bundleMcp } = await import('./mcp-bundle.mjs');
  const packages = await packPackages();
  const { path: bundle, mcpb } = await bundleMcp(packages['signpost-mcp']);
  return {
    environment: {
      SIGNPOST_PACKAGES: JSON.stringify(packages),
      SIGNPOST_MCP_BUNDLE: bundle,
      SIGNPOST_MCPB: mcpb,
    },
  };
}

async function prepareN8n({ newest, oldest, checks }) {
  const { packPackages } = await import('./pack-packages.mjs');
  const packages = await packPackages();
  console.error(`Testing the packed package in n8n ${newest.version} and ${oldest.version}`);
  return {
    environment: {
      SIGNPOST_N8N_NODE: newest.node,
      SIGNPOST_N8N_PROGRAM: newest.program,
      SIGNPOST_N8N_OLDEST_NODE: oldest.node,
      SIGNPOST_N8N_OLDEST_PROGRAM: oldest.program,
      SIGNPOST_N8N_CHECKS: checks,
      SIGNPOST_N8N_PACKAGE: packages['n8n-nodes-signpost'],
    },
  };
}

async function prepareMcp({ node, modules, versions }) {
  return {
    node,
    // Lets the checks import modules from the folder of the clients.
    flags: ['--experimental-import-meta-resolve'],
    environment: {
      MCP_CLIENT_MODULES: modules,
      MCP_CLIENT_VERSIONS: JSON.stringify(versions),
      // The server runs on the Node.js that its packages were installed for.
      MCP_SERVER_NODE: process.execPath,
    },
  };
}

async function prepareCluster() {
  const { clusterPrograms } = await import('./debian-programs.mjs');
  return { environment: { SIGNPOST_CLUSTER_FAKETIME: clusterPrograms().faketime } };
}

async function prepareCompanyNetwork() {
  const { companyNetworkPrograms } = await import('./debian-programs.mjs');
  try {
    return { environment: { SIGNPOST_TEST_SQUID: companyNetworkPrograms().squid } };
  } catch (error) {
    console.error(`The tests of company networks were skipped. ${error.message}`);
    return { environment: { SIGNPOST_TEST_SQUID: '' } };
  }
}

async function prepareLighthouse() {
  const { installOnce, installPackages } = await import('./install-once.mjs');
  // The last release that runs on Node.js 20.
  const version = '12.8.2';
  const folder = await installOnce(
    process.env.SIGNPOST_LIGHTHOUSE_CACHE_DIR || join(homedir(), '.cache'),
    `signpost-lighthouse-${version}`,
    (partial) =>
      installPackages(partial, { dependencies: { lighthouse: version } }, 'Lighthouse (about 170 MB)'),
  );
  return { environment: { SIGNPOST_LIGHTHOUSE_MODULES: join(folder, 'node_modules') } };
}

/**
 * The jobs of GitHub's workflow: the checks of `.ci/run` and every tier of tests that runs there, each in its versions
 * of Node.js. If a tier names none, it runs in Node.js 20, the oldest supported version.
 */
export function githubJobs() {
  const tiers = Object.entries(TIERS).filter(([, { ci }]) => ci === 'everywhere' || ci === 'github');
  const jobs = tiers.flatMap(([job, { github: { nodes = [20], packages = '', asRoot = false } = {} }]) =>
    nodes.map((node) => ({ job, node, packages, asRoot })),
  );
  return [{ job: 'checks', node: 24, packages: '', asRoot: false }, ...jobs];
}
