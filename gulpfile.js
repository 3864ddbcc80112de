'use strict';

const { cp } = require('node:fs/promises');
const { extname } = require('node:path');
const { parallel } = require('gulp');

/**
 * Copies a folder to the same folder in dist: only its files with an extension in `kinds`, those that end in
 * .node.json, and those without an extension.
 */
const copy = (folder, kinds) =>
  cp(folder, `dist/${folder}`, {
    recursive: true,
    filter: (path) => extname(path) === '' || path.endsWith('.node.json') || kinds.includes(extname(path)),
  });

const icons = () => copy('icons', ['.svg', '.png']);
const codexFiles = () => copy('nodes', ['.svg', '.png']);

exports.default = parallel(icons, codexFiles);
