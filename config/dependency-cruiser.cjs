'use strict';

const { join } = require('node:path');

const ADAPTERS = 'http|console|cli';
const DOMAIN =
  'accounts|audit|backup|capture|files|inbox|keys|links|mail|oauth|postcodes|secret|throttle|tokens|usage';
/** The folders of server/src by layer, lowest last. ADAPTERS and DOMAIN are one layer each. */
const LAYERS = `app|${ADAPTERS}|operations|${DOMAIN}|storage|platform`;
const TEST = '\\.test\\.ts$';
const CONTRACT = '^contract/src/index\\.ts$';
const MCP = '^mcp/src/(index|callers|check|process-end|system-errors|variables)\\.ts$';
const PACKAGE = '(^|/)node_modules/';
const SQL = '(^|/)node_modules/(knex|pg|sqlite3)/';
/** Makes a rule ignore imports of types: for example, a domain folder may import types from other domain folders. */
const NOT_A_TYPE = { dependencyTypesNot: ['type-only'] };

/** A rule whose violations fail the check. */
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
    'mcp-protocol-alone-knows-the-sdk',
    'Tools and servers stay free of the SDK, so that its next revision is met in one folder.',
    source('^(contract|mcp|server)/src/', ['^mcp/src/protocol/']),
    { path: '(^|/)node_modules/@modelcontextprotocol/' },
  ),
  forbid(
    'server-imports-contract-and-mcp-alone',
    'The server reaches other packages by their front door.',
    source('^server/src/'),
    { path: '^(contract|mcp|nodes|credentials|test|bench|scripts)/', pathNot: [CONTRACT, MCP] },
  ),
  forbid(
    'n8n-package-imports-n8n-workflow-alone',
    'A verified community node has no runtime dependency, and ships without the other packages. Of Node.js it may use crypto.',
    source('^(nodes|credentials)/'),
    { pathNot: ['^(nodes|credentials)/', '(^|/)node_modules/n8n-workflow/', '^(node:)?crypto$'] },
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
    'every-file-in-a-layer',
    'Each file of the server lies in a layer; only main.ts owns the process.',
    { path: '^server/src/', pathNot: [`^server/src/(${LAYERS})/`, '^server/src/main\\.ts$'] },
    {},
  ),
  forbid(
    'no-loose-file-imported',
    "What lies in no layer is not the server's.",
    {},
    { path: '^server/src/', pathNot: [`^server/src/(${LAYERS})/`, '^server/src/main\\.ts$'] },
  ),
  forbid(
    'app-composed-by-the-command-line',
    'app/ composes the parts, main.ts and its commands own the process; no part knows the whole.',
    source('^server/src/', ['^server/src/main\\.ts$', '^server/src/(app|cli)/']),
    { path: '^server/src/app/' },
  ),
  forbid(
    'adapters-above-all',
    'http, console and cli call operations and domain; nothing below calls them.',
    source(`^server/src/(operations|${DOMAIN}|storage|platform)/`),
    { path: `^server/src/(${ADAPTERS})/` },
  ),
  forbid(
    'adapters-not-past-the-domain',
    'Storage access in an adapter is a defect: the domain folders are its only callers.',
    source(`^server/src/(${ADAPTERS}|operations)/`),
    { path: '^server/src/storage/', ...NOT_A_TYPE },
  ),
  forbid(
    'pages-without-sql',
    'A page calls the domain; it sees neither the database nor its rows.',
    source('^server/src/console/'),
    { path: ['^server/src/storage/', SQL] },
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
    source(`^server/src/(${DOMAIN}|storage|platform)/`),
    { path: '^server/src/operations/' },
  ),
  forbid(
    'wire-for-operations-alone',
    'The directory answers records; bytes are made on the way out.',
    source('^server/src/', ['^server/src/operations/', '^server/src/postcodes/wire/']),
    { path: '^server/src/postcodes/wire/', ...NOT_A_TYPE },
  ),
  forbid(
    'domain-folders-apart',
    'A domain folder names the types of another and is handed the rest; secret/ serves them all.',
    source(`^server/src/(${DOMAIN})/`),
    { path: `^server/src/(${DOMAIN})/`, pathNot: ['^server/src/($1|secret)/'], ...NOT_A_TYPE },
  ),
  forbid('domain-above-storage', 'Storage knows rows, not what they mean.', source('^server/src/storage/'), {
    path: `^server/src/(${DOMAIN})/`,
  }),
  forbid(
    'platform-is-the-ground',
    'What everybody stands on knows nobody; of the contract it names types. The meanings of system errors are those of the MCP package, which is also a program.',
    source('^server/src/platform/'),
    {
      path: '^(contract|mcp|server)/',
      pathNot: ['^server/src/platform/', '^mcp/src/system-errors\\.ts$'],
      ...NOT_A_TYPE,
    },
  ),
  forbid(
    'platform-names-no-layer',
    'What everybody stands on knows nobody, not even by name.',
    source('^server/src/platform/'),
    { path: '^server/src/', pathNot: ['^server/src/platform/'] },
  ),
];

const composition = [
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
    "Neither a test nor what only tests use is the product's building stone.",
    { pathNot: [TEST, '^test/'] },
    { path: [TEST, '^test/'] },
  ),
  forbid('no-unresolvable', 'The import leads nowhere.', {}, { couldNotResolve: true }),
  forbid(
    'no-undeclared-package',
    'An imported package is in the package.json of the package that imports it.',
    { path: '^(contract|mcp|server)/src/', pathNot: [TEST] },
    { path: PACKAGE, dependencyTypes: ['npm-no-pkg', 'npm-unknown'], ...NOT_A_TYPE },
  ),
  forbid(
    'no-package-of-development',
    'An imported package is installed with the package. Only the server has it in its bundle.',
    { path: '^(contract|mcp)/src/', pathNot: [TEST] },
    { path: PACKAGE, dependencyTypes: ['npm-dev'], ...NOT_A_TYPE },
  ),
];

module.exports = {
  forbidden: [...packages, ...layers, ...composition, ...hygiene],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.cache|data|docs|coverage)/|^[^/]+\\.(js|cjs|mjs)$' },
    tsConfig: { fileName: join(__dirname, 'dependency-cruiser.tsconfig.json') },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
