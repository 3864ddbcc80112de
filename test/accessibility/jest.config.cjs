'use strict';

const tier = require('../fixtures/jest/tier.cjs');

// Apart from the others: axe looks at every page several times, and takes longer than any other test.
module.exports = tier({
  displayName: 'accessibility',
  testMatch: ['**/test/accessibility/*.accessibility-test.ts'],
});
