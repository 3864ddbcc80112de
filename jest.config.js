'use strict';

const { availableParallelism } = require('node:os');

const project = (name, ...folders) => ({
  displayName: name,
  rootDir: __dirname,
  roots: folders.map((folder) => `<rootDir>/${folder}`),
  testMatch: ['**/*.test.ts'],
  moduleNameMapper: {
    '^@signpost/contract$': '<rootDir>/contract/src/index.ts',
    '^signpost-mcp$': '<rootDir>/mcp/src/index.ts',
    '^signpost-mcp/callers$': '<rootDir>/mcp/src/callers.ts',
    '^signpost-mcp/process-end$': '<rootDir>/mcp/src/process-end.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['/dist/'],
  runtime: '<rootDir>/test/fixtures/jest/native-runtime.cjs',
  testEnvironment: '<rootDir>/test/fixtures/jest/native-environment.cjs',
  transform: {},
});

/** What takes long and goes through a whole server: once more on PostgreSQL in the long run alone. */
const LONG_ON_POSTGRESQL = [
  'test/backup/backup-killed.test.ts',
  'test/captures/fair-captures.test.ts',
  'test/requests/usage-after-kill.test.ts',
];

/** What is beside that and opens no database. */
const WITHOUT_DATABASE = [
  'server/src/accounts/{email,password}.test.ts',
  'server/src/{audit/audit-csv,backup/backup-folder,keys/api-key,oauth/redirect-uri}.test.ts',
  'server/src/{throttle/recent-events,tokens/refresh-tokens}.test.ts',
  'server/src/usage/{count-readiness,meter,process-usage,rate-limit,requested-page,usage-statistics}.test.ts',
];

/** What stores, counts and verifies, once more on a real PostgreSQL. */
const postgresql = {
  ...project('postgresql', 'server/src', 'test'),
  testMatch: [
    'server/src/{accounts,audit,backup,files,inbox,keys,oauth,storage/postgresql,throttle,tokens,usage}/**/*.test.ts',
    'server/src/app/{bootstrap,replace-secret}.test.ts',
    'test/backup/{backup,migrate-database}.test.ts',
    'test/start-and-stop/readiness.test.ts',
    'server/src/http/token-operations.test.ts',
    'server/src/cli/{account,account-links,audit,key,project,return-url}.test.ts',
    'test/decisions/limits.test.ts',
    ...(process.env.SIGNPOST_TEST_LONG === 'true' ? LONG_ON_POSTGRESQL : []),
  ]
    .map((pattern) => `<rootDir>/${pattern}`)
    .concat(WITHOUT_DATABASE.map((pattern) => `!**/${pattern}`)),
  // It turns the clock, which a server on PostgreSQL reads from the database again every ten seconds.
  testPathIgnorePatterns: ['/node_modules/', 'key-life\\.integration\\.test\\.ts$'],
  globalSetup: '<rootDir>/test/fixtures/postgresql-global-setup.mjs',
  globalTeardown: '<rootDir>/test/fixtures/postgresql-global-teardown.mjs',
  setupFiles: ['<rootDir>/test/fixtures/use-postgresql.mjs'],
};

/** What needs a build, a browser or another process, beside the code that it is about. */
const integration = {
  ...project('integration', 'server/src'),
  testMatch: ['**/*.integration.test.ts'],
};

module.exports = {
  // Several times what any of them takes alone: others run beside it.
  testTimeout: 120_000,
  // More than there are cores: many tests wait for a browser or another process.
  maxWorkers: 2 * availableParallelism(),
  testSequencer: '<rootDir>/test/fixtures/longest-first.cjs',
  // Always in workers, which are new in each run: they keep the modules that they have loaded. One that holds much is
  // replaced.
  workerIdleMemoryLimit: '1GB',
  // One that holds much takes a while to give it back when it ends, beside others longer than jest waits by itself.
  workerGracefulExitTimeout: 10_000,
  projects: [
    project('contract', 'contract/src'),
    project('mcp', 'mcp/src'),
    {
      ...project('server', 'server/src', 'server/browser'),
      testPathIgnorePatterns: ['/node_modules/', '/postgresql/', '\\.integration\\.test\\.ts$'],
    },
    integration,
    postgresql,
    {
      ...project('end to end', 'test'),
      testPathIgnorePatterns: [
        '/node_modules/',
        '<rootDir>/test/nodes/',
        '<rootDir>/test/backup/migrate-database.test.ts',
      ],
    },
    project('n8n', 'test/nodes'),
  ],
};
