#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);

// Imported after this check: some older versions cannot parse the program.
if (major > 20 || (major === 20 && minor >= 19)) await import('../dist/program/main.js');
else {
  process.stderr.write(
    `signpost: Node.js 20.19 or newer is needed; this is ${process.versions.node}. Get it from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
}
