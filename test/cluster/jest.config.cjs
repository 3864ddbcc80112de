'use strict';

const { projects } = require('../../jest.config.js');

const endToEnd = projects.find(({ displayName }) => displayName === 'end to end');

// Apart from the others: it needs a balancer that is no npm package, several servers at once, and minutes.
module.exports = {
  testTimeout: 240_000,
  projects: [{ ...endToEnd, displayName: 'cluster', testMatch: ['**/test/cluster/*.cluster-test.ts'] }],
};
