'use strict';

const tier = require('../fixtures/jest/tier.cjs');

// Apart from the others: most servers start a browser of their own.
module.exports = tier({
  displayName: 'remote browsers',
  testMatch: ['**/test/remote-browsers/*.remote-browser-test.ts'],
});
