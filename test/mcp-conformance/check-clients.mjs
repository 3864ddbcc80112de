import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as aiSdk from './clients/ai-sdk.mjs';
import * as mcpRemote from './clients/mcp-remote.mjs';
import * as mcporter from './clients/mcporter.mjs';
import * as openaiAgents from './clients/openai-agents.mjs';
import * as sdk from './clients/sdk.mjs';
import { check } from './report.mjs';
import { failingCall, judge, toolCalls } from './tool-calls.mjs';

const isHttp = ({ url }) => url !== undefined;
const isAny = () => true;

const CLIENTS = [
  { name: '@modelcontextprotocol/client', connect: sdk.connect, reaches: isAny },
  {
    name: '@modelcontextprotocol/client',
    era: ' of 2026-07-28',
    connect: sdk.connectCurrent,
    reaches: isAny,
  },
  { name: '@ai-sdk/mcp', connect: aiSdk.connect, reaches: isAny },
  { name: '@openai/agents-core', connect: openaiAgents.connect, reaches: isAny },
  { name: 'mcporter', connect: mcporter.connect, reaches: isAny },
  { name: 'mcp-remote', connect: mcpRemote.connect, reaches: isHttp },
];

/** The file of an export, by the conditions of an import. */
function exportedFile(manifest, path) {
  let found = manifest.exports[path];
  while (typeof found === 'object') found = found.import ?? found.default;
  assert.ok(found, `${manifest.name} exports no ${path}`);
  return found;
}

/** Imports packages from the folder that they were installed into. */
const loaderFrom = (modules) => async (specifier) => {
  const [, name, rest] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(specifier);
  const folder = join(modules, name);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return import(pathToFileURL(join(folder, exportedFile(manifest, `.${rest}`))).href);
};

/** Lets each client list the tools of each target that it reaches, and call all of them. */
export async function checkClients({ modules, versions, environment, targetsOfClient, pageUrl }) {
  const load = loaderFrom(modules);
  for (const { name, era = '', connect, reaches } of CLIENTS)
    for (const target of targetsOfClient().filter(reaches)) {
      const checked = (what, work) => check(`${name} ${versions[name]}${era}, ${target.name}: ${what}`, work);
      const calls = toolCalls(pageUrl, target.savesFiles);
      let client;
      const isConnected = await checked('connects and lists the tools', async () => {
        client = await connect(load, target, { modules, environment });
        const names = await client.listTools();
        assert.deepEqual(names.toSorted(), calls.map((call) => call.name).toSorted());
      });
      if (isConnected) {
        for (const call of calls)
          await checked(call.name, async () => judge(call, await client.call(call.name, call.args)));
        await checked('an unknown postcode is an error that says what to do', async () =>
          failingCall.judge(await client.call(failingCall.name, failingCall.args)),
        );
      }
      await checked('closes', async () => client?.close());
    }
}
