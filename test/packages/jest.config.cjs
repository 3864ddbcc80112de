'use strict';

const { projects } = require('../../jest.config.js');

const endToEnd = projects.find(({ displayName }) => displayName === 'end to end');

// Separate from the other tests, because each package is installed with all dependencies from an empty cache.
module.exports = {
  testTimeout: 600_000,
  projects: [{ ...endToEnd, displayName: 'packages', testMatch: ['**/test/packages/*.packages-test.ts'] }],
};
