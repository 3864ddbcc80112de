import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { check } from './report.mjs';
import { runProgram } from './run-program.mjs';

/** Those that ask of a server nothing but the protocol. */
const APPLICABLE = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

const OWN_TOOLS = "calls tools of the suite's own test server";
const OWN_RESOURCES = "reads resources of the suite's own test server";
const OWN_PROMPTS = "gets prompts of the suite's own test server";
const NOT_OFFERED = 'is for a feature that the server does not announce';

const NOT_APPLICABLE = {
  'tools-call-simple-text': OWN_TOOLS,
  'tools-call-image': OWN_TOOLS,
  'tools-call-audio': OWN_TOOLS,
  'tools-call-embedded-resource': OWN_TOOLS,
  'tools-call-mixed-content': OWN_TOOLS,
  'tools-call-with-logging': OWN_TOOLS,
  'tools-call-error': OWN_TOOLS,
  'tools-call-with-progress': OWN_TOOLS,
  'tools-call-sampling': OWN_TOOLS,
  'tools-call-elicitation': OWN_TOOLS,
  'json-schema-2020-12': OWN_TOOLS,
  'elicitation-sep1034-defaults': OWN_TOOLS,
  'elicitation-sep1330-enums': OWN_TOOLS,
  'server-sse-polling': `${OWN_TOOLS}, and is green without having seen any`,
  'resources-read-text': OWN_RESOURCES,
  'resources-read-binary': OWN_RESOURCES,
  'resources-templates-read': OWN_RESOURCES,
  'prompts-get-simple': OWN_PROMPTS,
  'prompts-get-with-args': OWN_PROMPTS,
  'prompts-get-embedded-resource': OWN_PROMPTS,
  'prompts-get-with-image': OWN_PROMPTS,
  'completion-complete': `completes a prompt of the suite's own test server, and is green without it`,
  'logging-set-level': `${NOT_OFFERED} (logging)`,
  'resources-subscribe': `${NOT_OFFERED} (subscriptions)`,
  'resources-unsubscribe': `${NOT_OFFERED} (subscriptions)`,
};

/** The names of the suite's scenarios for servers. */
async function scenariosOf(program, environment) {
  const { stdout } = await runProgram(process.execPath, [program, 'list'], environment);
  const [servers] = stdout.split('Client scenarios');
  return [...servers.matchAll(/^\s+- (\S+)/gm)].map(([, name]) => name);
}

/** What the suite wrote of a scenario: its checks, each with a status. */
async function checksIn(folder) {
  const [name] = await readdir(folder);
  if (name === undefined) throw new Error('The suite wrote no results.');
  return JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8'));
}

/** Runs the suite's applicable scenarios against each endpoint, and says which of them do not apply. */
export async function checkConformance({ modules, environment, folder, endpoints }) {
  const program = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
  await check('conformance: every scenario of the suite is named here', async () => {
    const known = [...APPLICABLE, ...Object.keys(NOT_APPLICABLE)];
    const listed = await scenariosOf(program, environment);
    const unknown = listed.filter((name) => !known.includes(name));
    const gone = known.filter((name) => !listed.includes(name));
    if (unknown.length + gone.length > 0) throw new Error(`new: ${unknown}; gone: ${gone}`);
  });
  for (const { name, url } of endpoints)
    for (const scenario of APPLICABLE)
      await check(`conformance, ${name}: ${scenario}`, async () => {
        const results = join(folder, `${name}-${scenario}`.replaceAll(/\W+/g, '-'));
        await mkdir(results);
        const words = [program, 'server', '--url', url, '--scenario', scenario, '--output-dir', results];
        const { code, stdout, stderr } = await runProgram(process.execPath, words, environment);
        const statuses = (await checksIn(results)).map(({ status }) => status);
        const isGreen = statuses.includes('SUCCESS') && !statuses.some((status) => /FAIL|WARN/.test(status));
        if (code !== 0 || !isGreen) throw new Error(`exit code ${code}, ${statuses}\n${stdout}${stderr}`);
      });
  console.log('\nScenarios of the suite that are not run, as each');
  for (const [name, why] of Object.entries(NOT_APPLICABLE)) console.log(`  ${name}: ${why}`);
  console.log('');
}
