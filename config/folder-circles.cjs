'use strict';

const { options } = require('./dependency-cruiser.cjs');

/** Forbids circles of imports between folders. Leaves out tests, which may import from any folder, and benchmarks. */
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
