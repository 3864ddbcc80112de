import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import * as aiSdk from './clients/ai-sdk.mjs';
import * as anthropic from './clients/anthropic.mjs';
import * as googleAdk from './clients/google-adk.mjs';
import * as googleGenai from './clients/google-genai.mjs';
import * as langchain from './clients/langchain.mjs';
import * as llamaindex from './clients/llamaindex.mjs';
import * as mastra from './clients/mastra.mjs';
import * as mcpProxy from './clients/mcp-proxy.mjs';
import * as mcpRemote from './clients/mcp-remote.mjs';
import * as mcporter from './clients/mcporter.mjs';
import * as openaiAgents from './clients/openai-agents.mjs';
import * as sdk1 from './clients/sdk-1.mjs';
import * as sdk from './clients/sdk.mjs';
import * as strands from './clients/strands.mjs';
import * as supergateway from './clients/supergateway.mjs';
import { check } from './report.mjs';
import { failingCalls, judge, judgeFailure, toolCalls, toolNames, unknownTool } from './tool-calls.mjs';

const isHttp = ({ url }) => url !== undefined;
const isStdio = ({ url }) => url === undefined;
const isAny = () => true;

/** The clients to check. With `callsByName`, a client calls any tool by its name, even one that was not listed. */
const CLIENTS = [
  { name: '@modelcontextprotocol/client', connect: sdk.connect, reaches: isAny },
  {
    name: '@modelcontextprotocol/client',
    era: ' of 2026-07-28',
    connect: sdk.connectCurrent,
    reaches: isAny,
  },
  { name: '@modelcontextprotocol/sdk', connect: sdk1.connect, reaches: isAny },
  { name: 'sdk-of-2025-03-26', connect: sdk1.connectOlder, reaches: isAny },
  { name: '@ai-sdk/mcp', connect: aiSdk.connect, reaches: isAny, callsByName: false },
  { name: '@anthropic-ai/sdk', connect: anthropic.connect, reaches: isAny },
  { name: '@openai/agents-core', connect: openaiAgents.connect, reaches: isAny },
  { name: '@langchain/mcp-adapters', connect: langchain.connect, reaches: isAny, callsByName: false },
  { name: '@google/genai', connect: googleGenai.connect, reaches: isAny, callsByName: false },
  { name: '@google/adk', connect: googleAdk.connect, reaches: isHttp, callsByName: false },
  { name: '@strands-agents/sdk', connect: strands.connect, reaches: isAny, callsByName: false },
  { name: '@llamaindex/tools', connect: llamaindex.connect, reaches: isAny, callsByName: false },
  { name: '@mastra/mcp', connect: mastra.connect, reaches: isAny, callsByName: false },
  { name: 'mcporter', connect: mcporter.connect, reaches: isAny },
  { name: 'mcp-proxy', connect: mcpProxy.connect, reaches: isStdio },
  { name: 'mcp-remote', connect: mcpRemote.connect, reaches: isHttp },
  { name: 'supergateway', connect: supergateway.connect, reaches: isHttp },
];

/** Returns a function that imports packages from this folder. Node needs a flag for `parent` as an argument. */
export const loaderFrom = (modules) => {
  const parent = pathToFileURL(modules).href;
  return (specifier) => import(import.meta.resolve(specifier, parent));
};

/** Converts an error of the protocol or the client to a tool result, because a model gets it in that form. */
const asResult = ({ message }) => ({ isError: true, content: [{ type: 'text', text: message }] });

/** Lets each client list the tools of each target that it reaches, and call all of them. */
export async function checkClients({ modules, versions, environment, targetsOfClient, pageUrl }) {
  const load = loaderFrom(modules);
  for (const { name, era = '', connect, reaches, callsByName = true } of CLIENTS)
    for (const target of targetsOfClient().filter(reaches)) {
      const checked = (what, work) => check(`${name} ${versions[name]}${era}, ${target.name}: ${what}`, work);
      const calls = toolCalls(pageUrl, target.savesFiles);
      let client;
      const isConnected = await checked('connects and lists the tools', async () => {
        client = await connect(load, target, { modules, environment });
        const names = await client.listTools();
        assert.deepEqual(names.toSorted(), toolNames(calls).toSorted());
      });
      if (isConnected) {
        for (const call of calls)
          await checked([call.name, call.what].filter(Boolean).join(', '), async () =>
            judge(call, await client.call(call.name, call.args)),
          );
        for (const call of callsByName ? [...failingCalls, unknownTool] : failingCalls)
          await checked(`${call.what} is an error that says what to do`, async () => {
            const calling = async () => client.call(call.name, call.args);
            judgeFailure(call, await calling().catch(asResult));
          });
      }
      await checked('closes', async () => client?.close());
    }
}
