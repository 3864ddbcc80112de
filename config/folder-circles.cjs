'use strict';

const { options } = require('./dependency-cruiser.cjs');

/** The product alone: a test stands beside what it tests and reaches over the whole house. */
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
