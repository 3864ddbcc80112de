'use strict';

const { projects } = require('../../jest.config.js');

const endToEnd = projects.find(({ displayName }) => displayName === 'end to end');

// Apart from the others: it needs packages that nothing else does, fetched into a cache folder.
module.exports = {
  testTimeout: 120_000,
  projects: [{ ...endToEnd, displayName: 'corpus', testMatch: ['**/test/corpus/*.corpus-test.ts'] }],
};
