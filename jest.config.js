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
  testSequencer: require.resolve('./test/fixtures/longest-first.cjs'),
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
