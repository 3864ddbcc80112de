'use strict';

const { projects, ...settings } = require('../../jest.config.js');

const endToEnd = projects.find(({ displayName }) => displayName === 'end to end');

// Apart from the others: axe looks at every page several times, and takes longer than any other test.
module.exports = {
  ...settings,
  projects: [
    {
      ...endToEnd,
      displayName: 'accessibility',
      testMatch: ['**/test/accessibility/*.accessibility-test.ts'],
    },
  ],
};
