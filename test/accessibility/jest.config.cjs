'use strict';

const tier = require('../fixtures/jest/tier.cjs');

// Separate from the other tests, because axe checks every page several times, which takes longer than any other test.
module.exports = tier({
  displayName: 'accessibility',
  testMatch: ['**/test/accessibility/*.accessibility-test.ts'],
});
