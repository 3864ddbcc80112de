'use strict';

const { projects } = require('../../jest.config.js');

const endToEnd = projects.find(({ displayName }) => displayName === 'end to end');

// Separate from the other tests, because they need a balancer that is not an npm package, several servers at once, and
// minutes.
module.exports = {
  testTimeout: 240_000,
  projects: [{ ...endToEnd, displayName: 'cluster', testMatch: ['**/test/cluster/*.cluster-test.ts'] }],
};
