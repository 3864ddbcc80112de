import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { check } from './report.mjs';
import { runProgram } from './run-program.mjs';

/** The protocol revisions for which the suite has requirements of servers. */
export const REVISIONS = ['2025-11-25', '2026-07-28'];

/** The time limit of one run, which tests every scenario of a revision. The machine may be busy with other work. */
const SUITE_TIMEOUT_MS = 100_000;

/** Scenarios that need only the protocol. All others need the fixture server. */
const OF_ANY_SERVER = new Set([
  ...['server-initialize', 'server-session-lifecycle', 'server-stateless', 'ping', 'caching'],
  ...['tools-list', 'resources-list', 'prompts-list', 'completion-complete', 'sep-2164-resource-not-found'],
  ...['server-sse-multiple-streams', 'dns-rebinding-protection', 'http-header-validation'],
  ...['input-required-result-unsupported-methods'],
]);

const ASKS_BACK =
  'ask the client while a call runs, for which a server over HTTP would keep sessions; passed on stdio';

/** Scenarios that none of our servers can pass, with the transports for which that is so, and the reasons. */
const NOT_APPLICABLE = [
  [/^tasks-|^sep-2640-/, ['http', 'stdio'], 'are of extensions that the server does not announce'],
  [
    /^server-sse-polling$/,
    ['http', 'stdio'],
    'resumes a stream that was cut, which the server does not offer',
  ],
  [/^tools-call-(?:sampling|elicitation)$|^elicitation-/, ['http'], ASKS_BACK],
  [
    /^tools-call-with-logging$/,
    ['http'],
    'wants messages during a call that asked for no progress, which is answered as JSON; passed on stdio',
  ],
  [
    /^http-|^dns-rebinding-protection$|^server-s(?:se|ession)-/,
    ['stdio'],
    'are about HTTP; here they would test the bridge',
  ],
];

const reasonAgainst = (scenario, transport) =>
  NOT_APPLICABLE.find(([names, transports]) => names.test(scenario) && transports.includes(transport))?.[2];

/** The names of the suite's scenarios for servers. */
async function scenariosOf(program, environment) {
  const { stdout } = await runProgram(process.execPath, [program, 'list'], environment);
  const [servers] = stdout.split('Client scenarios');
  return [...servers.matchAll(/^\s+- (\S+)/gm)].map(([, name]) => name);
}

/** The results of the suite by scenario: its checks, each with a status. */
async function resultsIn(folder) {
  const results = new Map();
  for (const name of await readdir(folder)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name);
    results.set(scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')));
  }
  return results;
}

/** Throws if a check that applies to the target failed or warned, or if no such check succeeded. */
function judge(checks, { transport, isFixture }) {
  const applies = ({ id, errorMessage = '' }) =>
    (transport === 'http' || !id.includes('http')) && (isFixture || !errorMessage.startsWith('Not testable'));
  const applicable = checks.filter(applies);
  const wrong = applicable.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  if (wrong.length > 0)
    throw new Error(wrong.map(({ id, errorMessage }) => `${id}: ${errorMessage}`).join('\n'));
  if (!applicable.some(({ status }) => status === 'SUCCESS')) throw new Error('Nothing was checked.');
}

/** Tests one server against all requirements of a revision, and judges the scenarios that apply to that server. */
async function checkTarget({ modules, environment, folder, target, revision, seen }) {
  const { name, transport, isFixture } = target;
  const title = `conformance ${revision}, ${name}`;
  const results = join(folder, title.replaceAll(/\W+/g, '-'));
  await mkdir(results);
  const program = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
  const words = [program, 'server', '--url', target.url, '--requirements', revision, '-o', results];
  // The exit code is ignored, because it also depends on scenarios that do not apply.
  await runProgram(process.execPath, words, environment, SUITE_TIMEOUT_MS);
  for (const [scenario, checks] of await resultsIn(results)) {
    seen.add(scenario);
    const isFor = isFixture || OF_ANY_SERVER.has(scenario);
    if (isFor && reasonAgainst(scenario, transport) === undefined)
      await check(`${title}: ${scenario}`, async () => judge(checks, target));
  }
}

/** Tests the servers that `startTargets` starts for each revision. Prints which scenarios do not apply. */
export async function checkConformance({ startTargets, ...common }) {
  const seen = new Set();
  for (const revision of REVISIONS) {
    const targets = await startTargets(revision);
    for (const target of targets) await checkTarget({ ...common, target, revision, seen });
  }
  const program = join(common.modules, '@modelcontextprotocol/conformance/dist/index.js');
  const listed = await scenariosOf(program, common.environment);
  await check('conformance: every scenario of the suite was run, or is named with a reason', async () => {
    const missing = listed.filter((name) => !seen.has(name) && reasonAgainst(name, 'http') === undefined);
    if (missing.length > 0 || listed.length === 0) throw new Error(`neither: ${missing}`);
  });
  console.log('\nScenarios of the suite that do not apply');
  for (const [names, transports, reason] of NOT_APPLICABLE) {
    const scenarios = listed.filter((name) => names.test(name)).join(', ');
    console.log(`  over ${transports.join(' and ')}: ${scenarios}: ${reason}`);
  }
  console.log('');
}
