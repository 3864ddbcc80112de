'use strict';

// Loaded into every thread of a server under test. At SIGWINCH each collects its garbage and prints that it did, so that
// what is resident afterwards is what the server holds, and not how long its last collection was ago.

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
