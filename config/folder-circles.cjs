'use strict';

const { options } = require('./dependency-cruiser.cjs');

/** The rule is only for product code, because tests may import from any folder. */
module.exports = {
  forbidden: [
    {
      name: 'no-circle-of-folders',
      comment: 'Rooms that need each other are one room.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: `${options.exclude.path}|\\.test\\.ts$|^(test|bench)/` } },
};
