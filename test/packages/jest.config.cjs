'use strict';

const { projects } = require('../../jest.config.js');

const endToEnd = projects.find(({ displayName }) => displayName === 'end to end');

// Apart from the others: each package is installed with all that it depends on, from an empty cache.
module.exports = {
  testTimeout: 600_000,
  projects: [{ ...endToEnd, displayName: 'packages', testMatch: ['**/test/packages/*.packages-test.ts'] }],
};
