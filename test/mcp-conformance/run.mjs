import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkClients } from './check-clients.mjs';
import { checkConverters } from './check-converters.mjs';
import { checkConformance } from './conformance-suite.mjs';
import { checkInspector } from './inspector.mjs';
import { close, failed, total } from './report.mjs';
import {
  signpost,
  signpostMcp,
  startBridge,
  startCore,
  startFixture,
  startKeyAdder,
  startPage,
  startStandalone,
} from './servers.mjs';

const DEADLINE_MS = 20 * 60_000;

const modules = process.env.MCP_CLIENT_MODULES;
const versions = JSON.parse(process.env.MCP_CLIENT_VERSIONS);
const folder = process.env.TEST_TIER_FOLDER;
const foreignHome = join(folder, 'home');
await mkdir(foreignHome);

const PASSED_ON = [
  'PATH',
  'PLAYWRIGHT_BROWSERS_PATH',
  'SIGNPOST_BROWSER_PATH',
  'SIGNPOST_BROWSER_WITHOUT_SANDBOX',
];
const passedOn = Object.fromEntries(
  PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);
/** The environment of the servers. Their browser may be below the home folder. */
const serverEnvironment = { ...passedOn, HOME: homedir(), SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1' };
/** The environment of the clients, which write into the home folder. */
const clientEnvironment = { PATH: process.env.PATH ?? '', HOME: foreignHome, CI: 'true', NO_COLOR: '1' };
// Some clients run in this process, and some pass their own environment on to a server.
process.env.HOME = foreignHome;
for (const name of Object.keys(process.env)) if (name.startsWith('SIGNPOST_')) delete process.env[name];

const endings = [];
const ended = async (server) => {
  const { end, ...rest } = await server;
  endings.unshift(end);
  return rest;
};

async function startAll() {
  const page = await ended(startPage());
  const core = await ended(
    startCore({
      ...serverEnvironment,
      SIGNPOST_PORT: '0',
      SIGNPOST_DATA_DIR: join(folder, 'core'),
      SIGNPOST_RATE_PER_MINUTE: 'unlimited',
      SIGNPOST_RATE_PER_DAY: 'unlimited',
    }),
  );
  const { PATH, HOME } = serverEnvironment;
  const remote = { PATH, HOME, SIGNPOST_BASE_URL: core.url, SIGNPOST_API_KEY: core.apiKey };
  const standalone = await ended(startStandalone(remote));
  const keyAdder = await ended(startKeyAdder(core.url, [1, 2, 3, 4].map(core.createKey)));
  const SIGNPOST_MCP_OUTPUT_DIR = join(folder, 'captures');
  /** Has a new key each time, because the server limits how many lists a key may request per minute. */
  const httpTarget = () => ({
    name: 'POST /mcp (HTTP)',
    savesFiles: false,
    url: `${core.url}/mcp`,
    headers: { Authorization: `Bearer ${core.createKey()}` },
  });
  const targets = {
    coreInside: {
      name: 'signpost mcp (stdio)',
      savesFiles: true,
      ...signpost('mcp'),
      env: { ...serverEnvironment, SIGNPOST_DATA_DIR: join(folder, 'inside'), SIGNPOST_MCP_OUTPUT_DIR },
    },
    stdio: {
      name: 'signpost-mcp (stdio)',
      savesFiles: true,
      ...signpostMcp(),
      env: { ...remote, SIGNPOST_MCP_OUTPUT_DIR },
    },
    http: httpTarget(),
    standalone: { name: 'signpost-mcp --http (HTTP)', savesFiles: false, url: standalone.url, headers: {} },
  };
  return { pageUrl: page.url, keyAdderUrl: keyAdder.url, httpTarget, targets };
}

/** The first message of a connection on stdio, by revision. In older revisions, the suite sends its own. */
const FIRST_MESSAGES = {
  '2026-07-28': {
    jsonrpc: '2.0',
    id: 'first',
    method: 'tools/list',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
};

async function checkAll() {
  const { pageUrl, keyAdderUrl, httpTarget, targets } = await startAll();
  const common = { modules, versions, environment: clientEnvironment, folder, pageUrl };
  const product = [
    { name: targets.http.name, transport: 'http', url: `${keyAdderUrl}/mcp` },
    { name: targets.standalone.name, transport: 'http', url: targets.standalone.url },
  ];
  const fixtureUrl = (await ended(startFixture(clientEnvironment))).url;
  await checkConformance({
    ...common,
    startTargets: async (revision) => {
      const first = FIRST_MESSAGES[revision];
      const { name, env, ...program } = targets.coreInside;
      const stdio = { transport: 'stdio', ...(await ended(startBridge(first, env, program))) };
      const fixtureStdio = await ended(startBridge(first, clientEnvironment));
      return [
        ...product,
        { name, ...stdio },
        { name: 'fixture (HTTP)', transport: 'http', isFixture: true, url: fixtureUrl },
        { name: 'fixture (stdio)', transport: 'stdio', isFixture: true, ...fixtureStdio },
      ];
    },
  });
  await checkConverters({ ...common, stdioTarget: targets.coreInside, httpTarget: httpTarget() });
  await checkInspector({ ...common, targets: Object.values(targets) });
  const targetsOfClient = () => Object.values({ ...targets, http: httpTarget() });
  await checkClients({ ...common, targetsOfClient });
}

let isFinishing = false;

/** Ends all processes, prints the last line and exits, even if something hangs. */
async function finish() {
  if (isFinishing) return;
  isFinishing = true;
  close();
  await Promise.allSettled(endings.map((end) => end()));
  process.exit(total() ? 0 : 1);
}

setTimeout(() => {
  failed(
    'all checks',
    `They were ended after ${DEADLINE_MS / 60_000} minutes; what comes after the last line was left out.`,
  );
  void finish();
}, DEADLINE_MS);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    failed('all checks', `They were ended by ${signal}.`);
    void finish();
  });
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, (error) => failed('an error in this process that nobody handled', error));

try {
  await checkAll();
} catch (error) {
  failed('all checks', error);
}
await finish();
