'use strict';

const swc = (type) => [
  '@swc/jest',
  { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type } },
];

const esm = (name, roots) => ({
  displayName: name,
  rootDir: __dirname,
  roots,
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': swc('es6') },
  moduleNameMapper: {
    '^@signpost/contract$': '<rootDir>/contract/src/index.ts',
    '^signpost-mcp$': '<rootDir>/mcp/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['/dist/'],
});

module.exports = {
  testTimeout: 60_000,
  projects: [
    esm('contract', ['<rootDir>/contract/src']),
    esm('mcp', ['<rootDir>/mcp/src']),
    esm('server', ['<rootDir>/server/src']),
    esm('end to end', ['<rootDir>/test']),
  ],
};
