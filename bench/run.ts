import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { dirname } from 'node:path';
import { findBrowser } from '@signpost/server/find-browser';
import { benchCaptures } from './captures.js';
import { table } from './figures.js';
import { loadGenerator } from './load.js';
import { benchMcp, benchMcpStart } from './mcp.js';
import { benchLookups } from './lookups.js';
import { readOptions } from './options.js';
import { startSignpost } from './signpost-process.js';
import { benchTokens } from './tokens.js';

async function browserProgram(): Promise<string> {
  const { SIGNPOST_BROWSER_PATH: configured, PATH: searchPath = '' } = process.env;
  const found = await findBrowser({ configured, searchPath, withEmbedded: true });
  if (found === undefined) throw new Error('No browser was found; "npx signpost doctor" says what to do.');
  return found.program;
}

const options = readOptions(process.argv.slice(2));
if (options !== undefined) {
  const machine = {
    node: process.version,
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
  };
  process.stdout.write(`Node ${machine.node}, ${machine.cores} cores, ${machine.processor}\n`);
  const signpost = await startSignpost(options.directory);
  try {
    const lookups = options.lookups ? await benchLookups(signpost, options) : [];
    if (options.lookups) {
      const directory = options.directory === undefined ? 'the sample directory' : 'the imported directory';
      process.stdout.write(
        table(`Look-ups through the server, ${directory}, load by ${loadGenerator}`, lookups),
      );
    }
    const tokens = options.tokens ? await benchTokens(signpost, options) : [];
    if (options.tokens) {
      process.stdout.write(table(`Tokens through the server, load by ${loadGenerator}`, tokens));
    }
    const captures = options.captures ? await benchCaptures(signpost, await browserProgram(), options) : [];
    if (options.captures) process.stdout.write(table('Captures, all with the same browser', captures));
    const mcp = options.mcp ? await benchMcp(signpost, options) : [];
    const mcpStart = options.mcp ? await benchMcpStart(signpost) : [];
    if (options.mcp) {
      process.stdout.write(
        table('MCP calls with the core inside, beside a trivial tool on the bare SDK', mcp),
      );
      process.stdout.write(table('MCP over stdio, from nothing', mcpStart));
    }
    await mkdir(dirname(options.json), { recursive: true });
    await writeFile(
      options.json,
      `${JSON.stringify({ machine, lookups, tokens, captures, mcp, mcpStart }, undefined, 2)}\n`,
    );
    process.stdout.write(`\nWritten to ${options.json}\n`);
  } finally {
    await signpost.end();
  }
}
