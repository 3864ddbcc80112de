'use strict';

const { projects } = require('../../jest.config.js');

const endToEnd = projects.find(({ displayName }) => displayName === 'end to end');

// Apart from the others: it needs an n8n, whose installation takes minutes and 2 GB.
module.exports = {
  testTimeout: 120_000,
  projects: [{ ...endToEnd, displayName: 'n8n end to end', testMatch: ['**/test/n8n/*.n8n-test.ts'] }],
};
