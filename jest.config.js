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
    '^signpost-mcp/([a-z-]+)$': '<rootDir>/mcp/src/$1.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['/dist/'],
  runtime: '<rootDir>/test/fixtures/jest/native-runtime.cjs',
  testEnvironment: '<rootDir>/test/fixtures/jest/native-environment.cjs',
  transform: {},
});

/** Tests in server/src, except those of captures, that need a build, a browser or another process. */
const integration = {
  ...project('integration', 'server/src'),
  testMatch: ['**/*.integration.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/server/src/capture/'],
};

/** The integration tests of captures, which mostly wait for a browser. */
const captures = { ...project('captures', 'server/src/capture'), testMatch: integration.testMatch };

/** Tests that start, stop, kill, back up and restore whole servers. */
const processes = {
  ...project('processes', 'test/backup', 'test/start-and-stop'),
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/backup/migrate-database.test.ts'],
};

module.exports = {
  // Several times the longest test, because other tests run at the same time.
  testTimeout: 120_000,
  // More workers than cores, because many tests wait for a browser or another process.
  maxWorkers: 2 * availableParallelism(),
  testSequencer: require.resolve('./test/fixtures/longest-first.cjs'),
  // Because of this limit, jest runs even a few fast tests in worker processes. A worker keeps every module it has
  // loaded, so one that holds more memory than this after a test file is replaced.
  workerIdleMemoryLimit: '1GB',
  // A worker that holds a lot of memory exits slowly on a busy machine: longer than jest waits by default.
  workerGracefulExitTimeout: 10_000,
  projects: [
    project('contract', 'contract/src'),
    project('mcp', 'mcp/src'),
    {
      ...project('server', 'server/src', 'server/browser'),
      testPathIgnorePatterns: ['/node_modules/', '/postgresql/', '\\.integration\\.test\\.ts$'],
    },
    integration,
    captures,
    processes,
    {
      ...project('end to end', 'test'),
      testPathIgnorePatterns: [
        '/node_modules/',
        ...['nodes', 'backup', 'start-and-stop'].map((folder) => `<rootDir>/test/${folder}/`),
      ],
    },
    project('n8n', 'test/nodes'),
  ],
};
