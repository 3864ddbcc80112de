'use strict';

const tier = require('../fixtures/jest/tier.cjs');

/** Tests that take long and go through a whole server: only in the long form. */
const LONG = [
  'test/backup/backup-killed.test.ts',
  'test/captures/fair-captures.test.ts',
  'test/requests/usage-after-kill.test.ts',
];

/** Tests beside the code that stores, which open no database. */
const WITHOUT_DATABASE = [
  'server/src/accounts/{email,password}.test.ts',
  'server/src/{audit/audit-csv,backup/backup-folder,keys/api-key,oauth/redirect-uri}.test.ts',
  'server/src/{throttle/recent-events,tokens/refresh-tokens}.test.ts',
  'server/src/usage/{count-readiness,meter,process-usage,rate-limit,requested-page,usage-statistics}.test.ts',
];

// Tests everything that stores, counts and verifies once more on a real PostgreSQL.
module.exports = tier({
  displayName: 'postgresql',
  roots: ['<rootDir>/server/src', '<rootDir>/test'],
  testMatch: [
    'server/src/{accounts,audit,backup,files,inbox,keys,oauth,storage/postgresql,throttle,tokens,usage}/**/*.test.ts',
    'server/src/app/{bootstrap,repeating-jobs,replace-secret}.test.ts',
    'test/backup/{backup,migrate-database}.test.ts',
    'test/start-and-stop/readiness.test.ts',
    'server/src/http/token-operations.test.ts',
    'server/src/cli/{account,account-links,audit,key,project,return-url}.test.ts',
    'test/decisions/limits.test.ts',
    ...(process.env.SIGNPOST_TEST_LONG === 'true' ? LONG : []),
  ]
    .map((pattern) => `<rootDir>/${pattern}`)
    .concat(WITHOUT_DATABASE.map((pattern) => `!**/${pattern}`)),
  // key-life changes the server's clock, but on PostgreSQL a server reads the time from the database.
  testPathIgnorePatterns: ['/node_modules/', 'key-life\\.integration\\.test\\.ts$'],
  globalSetup: '<rootDir>/test/postgresql/global-setup.mjs',
  globalTeardown: '<rootDir>/test/postgresql/global-teardown.mjs',
  setupFiles: ['<rootDir>/test/postgresql/use-postgresql.mjs'],
});
