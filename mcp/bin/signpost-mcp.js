#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);

// A static import would load the program before this check.
if (major > 20 || (major === 20 && minor >= 19)) await import('../dist/program/main.js');
else {
  process.stderr.write(
    `signpost-mcp: Node.js 20.19 or newer is needed; this is ${process.versions.node}. Get it from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
}
