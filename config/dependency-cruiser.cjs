'use strict';

const { join } = require('node:path');

const DOMAIN = 'backup|postcodes|capture|keys|usage|accounts|tokens|throttle|secret';
const ADAPTERS = 'http|console|cli';
const TEST = '\\.test\\.ts$';
const LEAVES = '^server/src/(service-error|clock)\\.ts$';
const CONTRACT = '^contract/src/index\\.ts$';
const MCP = '^mcp/src/(index|process-end)\\.ts$';
const PACKAGE = '(^|/)node_modules/';
/** The types of a domain folder may be named by its neighbours; what it does is reached through who composes them. */
const NOT_A_TYPE = { dependencyTypesNot: ['type-only'] };

/** A rule that fails the lint. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const source = (path, pathNot = []) => ({ path, pathNot: [TEST, ...pathNot] });

const packages = [
  forbid(
    'contract-imports-zod-alone',
    'The contract is data: every other part builds on it, and it on nothing but zod.',
    source('^contract/src/'),
    { pathNot: ['^contract/src/', '(^|/)node_modules/zod/'] },
  ),
  forbid(
    'mcp-imports-contract-alone',
    'The MCP package knows the contract and its npm packages; whoever has the core inside hands it in.',
    source('^mcp/src/'),
    { path: '^(contract|server|nodes|credentials|test|bench|scripts)/', pathNot: [CONTRACT] },
  ),
  forbid(
    'server-imports-contract-and-mcp-alone',
    'The server reaches other packages by their front door.',
    source('^server/src/'),
    { path: '^(contract|mcp|nodes|credentials|test|bench|scripts)/', pathNot: [CONTRACT, MCP] },
  ),
  forbid(
    'n8n-package-imports-n8n-workflow-alone',
    'A verified community node has no runtime dependency, and ships without the other packages.',
    source('^(nodes|credentials)/'),
    { pathNot: ['^(nodes|credentials)/', '(^|/)node_modules/n8n-workflow/'] },
  ),
  forbid(
    'nobody-imports-the-n8n-package',
    'Nodes and credentials are loaded by n8n.',
    { path: '^(contract|mcp|server|bench|scripts)/' },
    { path: '^(nodes|credentials)/' },
  ),
];

const layers = [
  forbid(
    'adapters-above-all',
    'http, console and cli call operations and domain; nothing below calls them.',
    source(`^server/src/(operations|${DOMAIN}|storage)/`),
    { path: `^server/src/(${ADAPTERS})/` },
  ),
  forbid(
    'adapters-not-past-the-domain',
    'Storage access in an adapter is a defect: the domain folders are its only callers.',
    source(`^server/src/(${ADAPTERS}|operations)/`),
    { path: '^server/src/storage/', ...NOT_A_TYPE },
  ),
  forbid(
    'adapters-apart',
    'HTTP knows neither pages nor commands, and commands no pages.',
    source('^server/src/(http|cli)/'),
    { path: `^server/src/(${ADAPTERS})/`, pathNot: ['^server/src/$1/'] },
  ),
  forbid('console-without-cli', 'Pages do not run commands.', source('^server/src/console/'), {
    path: '^server/src/cli/',
  }),
  forbid(
    'operations-above-the-domain',
    'The domain does not know which operations exist.',
    source(`^server/src/(${DOMAIN}|storage)/`),
    { path: '^server/src/operations/' },
  ),
  forbid('domain-above-storage', 'Storage knows rows, not what they mean.', source('^server/src/storage/'), {
    path: `^server/src/(${DOMAIN})/`,
  }),
  forbid(
    'domain-folders-apart',
    'A domain folder names the types of another and is handed the rest; secret/ serves them all.',
    source(`^server/src/(${DOMAIN})/`),
    { path: `^server/src/(${DOMAIN})/`, pathNot: ['^server/src/($1|secret)/'], ...NOT_A_TYPE },
  ),
  forbid('leaves-import-nothing', 'What everybody imports imports nobody of the server.', source(LEAVES), {
    path: '^server/src/',
  }),
];

const composition = [
  forbid(
    'config-read-by-composers-alone',
    'The parts take what they need; only who composes them sees the whole Config.',
    source('^server/src/', ['^server/src/(app|mcp-app|main|log|config)\\.ts$', '^server/src/cli/']),
    { path: '^server/src/config\\.ts$' },
  ),
  forbid(
    'app-composed-by-the-command-line',
    'app.ts composes, main.ts and its commands own the process.',
    source('^server/src/', ['^server/src/main\\.ts$', '^server/src/cli/']),
    { path: '^server/src/(mcp-)?app\\.ts$' },
  ),
  forbid(
    'main-imported-by-nobody',
    'A process has one entry.',
    { path: '^(contract|mcp|server|nodes|credentials)/' },
    {
      path: '^[^/]+/src/main\\.ts$',
    },
  ),
];

const hygiene = [
  forbid('no-circular', 'A circle has no order in which to read or load it.', {}, { circular: true }),
  forbid(
    'no-orphans',
    'A file that nobody imports and that imports nobody is dead.',
    {
      orphan: true,
      path: '^(contract|mcp|server|nodes|credentials)/',
      pathNot: [TEST, '/bin/', '\\.d\\.ts$', '\\.credentials\\.ts$', '\\.node\\.ts$'],
    },
    {},
  ),
  forbid(
    'no-tests-in-source',
    "A test is nobody's building stone.",
    { pathNot: [TEST, '^test/'] },
    {
      path: [TEST, '^test/'],
    },
  ),
  forbid('no-unresolvable', 'The import leads nowhere.', {}, { couldNotResolve: true }),
  forbid(
    'no-undeclared-package',
    'What is imported stands in the package.json of the package that imports it.',
    { path: '^(contract|mcp|server)/src/', pathNot: [TEST] },
    { path: PACKAGE, dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], ...NOT_A_TYPE },
  ),
];

module.exports = {
  forbidden: [...packages, ...layers, ...composition, ...hygiene],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.cache|data|docs|coverage)/|^[^/]+\\.(js|cjs|mjs)$' },
    tsConfig: { fileName: join(__dirname, '../test/tsconfig.json') },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
