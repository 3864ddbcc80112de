import { findBrowser } from '@signpost/server/find-browser';
import { benchBrowsers } from './browsers.js';
import { benchCapacity } from './capacity/capacity.js';
import { simulateCapacity } from './capacity/simulation.js';
import { benchCaptures } from './captures.js';
import { loadGenerator } from './load.js';
import { benchKeptForSpeed, benchRecorder } from './kept-for-speed.js';
import { benchLinks } from './links.js';
import { benchLookups } from './lookups.js';
import { benchManyKeys } from './many-keys.js';
import { benchMcp, benchMcpStart } from './mcp.js';
import type { BenchOptions, Part } from './options.js';
import { benchAttacks } from './attacks/attacks.js';
import { benchPages } from './pages.js';
import { benchRejections } from './rejections.js';
import { showProgress } from './progress.js';
import type { Section } from './section.js';
import { benchServers } from './servers.js';
import type { SignpostProcess } from './signpost-process.js';
import { benchTokens } from './tokens.js';

/** Measures one part. Parts that use the shared server call `startServer` for it. */
type MeasurePart = (
  options: BenchOptions,
  startServer: () => Promise<SignpostProcess>,
) => Promise<readonly Section[]>;

async function browserProgram(): Promise<string> {
  const { SIGNPOST_BROWSER_PATH: configured, PATH: searchPath = '' } = process.env;
  const found = await findBrowser({ configured, searchPath, withEmbedded: true });
  if (found === undefined) throw new Error('No browser was found; "npx signpost doctor" says what to do.');
  return found.program;
}

export const measureParts: Readonly<Record<Part, MeasurePart>> = {
  async lookups(options, startServer) {
    showProgress('lookups: each operation beside its floors');
    const directory = options.directory === undefined ? 'the sample directory' : 'the imported directory';
    const title = `Lookups through the server, ${directory}, load by ${loadGenerator}`;
    return [{ name: 'lookups', title, rows: await benchLookups(await startServer(), options) }];
  },
  async wire(options) {
    showProgress('wire: servers with and without the code that is kept for its speed');
    const title = `Code kept for its speed, with and without it, the sample directory, load by ${loadGenerator}`;
    return [{ name: 'wire', title, rows: await benchKeptForSpeed(options) }];
  },
  async records(options) {
    const title = `Lookups with and without the counts and the log of requests, the sample directory, load by ${loadGenerator}`;
    return [
      { name: 'records', title, rows: await benchRecorder(options) },
      ...(await benchManyKeys(options)),
    ];
  },
  async servers(options) {
    const title = `Lookups through one server and several, the sample directory, load by ${loadGenerator}, which spreads it itself`;
    return [{ name: 'servers', title, rows: await benchServers(options) }];
  },
  async tokens(options, startServer) {
    showProgress('tokens: status and refresh beside their floors');
    const title = `Tokens through the server, load by ${loadGenerator}`;
    return [{ name: 'tokens', title, rows: await benchTokens(await startServer(), options) }];
  },
  async links(options, startServer) {
    showProgress('links: those whose captures are made, beside lookups');
    const title = `Links whose captures are made, opened by anyone, load by ${loadGenerator}`;
    return [{ name: 'links', title, rows: await benchLinks(await startServer(), options) }];
  },
  async refusals() {
    const title = 'Requests that are refused, made to cost as much as they can, one after the other';
    return [{ name: 'refusals', title, rows: await benchRejections() }];
  },
  async pages() {
    showProgress('pages: each page that needs no key');
    const title = 'Public pages, one request after the other: time of the thread that answers all requests';
    return [{ name: 'pages', title, rows: await benchPages() }];
  },
  async attacks(options) {
    const title = 'What neighbours feel without and with each attack';
    return [{ name: 'attacks', title, rows: await benchAttacks(options) }];
  },
  async captures(options, startServer) {
    const { title, rows } = await benchCaptures(await startServer(), await browserProgram(), options);
    return [{ name: 'captures', title, rows }];
  },
  async browsers(options) {
    const title = 'Captures by one server with its own browser, and with remote ones';
    return [{ name: 'browsers', title, rows: await benchBrowsers(await browserProgram(), options) }];
  },
  async mcp(options, startServer) {
    showProgress('mcp: calls over stdio and HTTP beside the bare SDK');
    const server = await startServer();
    const calls = 'MCP calls with the core inside, beside a trivial tool on the bare SDK';
    return [
      { name: 'mcp', title: calls, rows: await benchMcp(server, options) },
      { name: 'mcpStart', title: 'MCP over stdio, from nothing', rows: await benchMcpStart(server) },
    ];
  },
  async capacity(options) {
    return benchCapacity(await browserProgram(), options);
  },
  simulation: () => Promise.resolve(simulateCapacity()),
};
