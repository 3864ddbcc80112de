'use strict';

const { projects } = require('../../jest.config.js');

const endToEnd = projects.find(({ displayName }) => displayName === 'end to end');

// Separate from the other tests, because they take minutes, and strain servers and disks more than a shared machine
// should be.
module.exports = {
  testTimeout: 300_000,
  projects: [{ ...endToEnd, displayName: 'faults', testMatch: ['**/test/faults/*.fault-test.ts'] }],
};
