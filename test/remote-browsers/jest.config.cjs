'use strict';

const { projects, ...settings } = require('../../jest.config.js');

const endToEnd = projects.find(({ displayName }) => displayName === 'end to end');

// Apart from the others: most servers start a browser of their own.
module.exports = {
  ...settings,
  projects: [
    {
      ...endToEnd,
      displayName: 'remote browsers',
      testMatch: ['**/test/remote-browsers/*.remote-browser-test.ts'],
    },
  ],
};
