'use strict';

const swc = (type, tsx = false) => [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', tsx },
      transform: { react: { runtime: 'automatic', importSource: 'preact' } },
      target: 'es2022',
    },
    module: { type },
  },
];

const project = (name, folders) => ({
  displayName: name,
  rootDir: __dirname,
  roots: folders.map((folder) => `<rootDir>/${folder}`),
  testMatch: ['**/*.test.ts'],
  moduleNameMapper: {
    '^@signpost/contract$': '<rootDir>/contract/src/index.ts',
    '^signpost-mcp$': '<rootDir>/mcp/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['/dist/'],
});

const esm = (name, ...folders) => ({
  ...project(name, folders),
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.ts$': swc('es6'), '\\.tsx$': swc('es6', true) },
});

const commonJs = (name, folders) => ({
  ...project(name, folders),
  transform: { '\\.ts$': swc('commonjs') },
});

module.exports = {
  testTimeout: 60_000,
  projects: [
    esm('contract', 'contract/src'),
    esm('mcp', 'mcp/src'),
    esm('server', 'server/src', 'server/browser'),
    { ...esm('end to end', 'test'), testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/nodes/'] },
    commonJs('n8n', ['test/nodes']),
  ],
};
