'use strict';

const { projects } = require('../../jest.config.js');

const endToEnd = projects.find(({ displayName }) => displayName === 'end to end');

// Apart from the others: it takes minutes, and does to servers and disks what a passing machine would not.
module.exports = {
  testTimeout: 300_000,
  projects: [{ ...endToEnd, displayName: 'faults', testMatch: ['**/test/faults/*.fault-test.ts'] }],
};
