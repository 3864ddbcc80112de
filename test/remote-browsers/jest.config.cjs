'use strict';

const tier = require('../fixtures/jest/tier.cjs');

// Separate from the other tests, because most servers start their own browser.
module.exports = tier({
  displayName: 'remote browsers',
  testMatch: ['**/test/remote-browsers/*.remote-browser-test.ts'],
});
