'use strict';

const { dest, parallel, src } = require('gulp');

// Without `encoding: false` gulp reads images as text and ruins them.
const options = { encoding: false, allowEmpty: true };

function icons() {
  return src('icons/**/*.{svg,png}', options).pipe(dest('dist/icons'));
}

function nodeFiles() {
  return src('nodes/**/*.{svg,png,json}', options).pipe(dest('dist/nodes'));
}

exports.default = parallel(icons, nodeFiles);
