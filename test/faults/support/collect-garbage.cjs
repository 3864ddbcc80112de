'use strict';

// Loaded into every thread of a server under test. On SIGWINCH each thread collects its garbage and prints a line, so
// that resident memory then shows what the server really holds, however long ago its last collection was.

const { writeSync } = require('node:fs');
const v8 = require('node:v8');
const { runInNewContext } = require('node:vm');
const { BroadcastChannel, isMainThread } = require('node:worker_threads');

const STANDARD_OUTPUT = 1;

v8.setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const others = new BroadcastChannel('collect garbage');

const collectAndTell = () => {
  collect();
  writeSync(STANDARD_OUTPUT, 'Garbage was collected.\n');
};

others.onmessage = collectAndTell;
others.unref();
if (isMainThread) {
  process.on('SIGWINCH', () => {
    others.postMessage(undefined);
    collectAndTell();
  });
}
