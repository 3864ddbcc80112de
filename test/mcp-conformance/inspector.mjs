import assert from 'node:assert/strict';
import { join } from 'node:path';
import { check } from './report.mjs';
import { runProgram } from './run-program.mjs';
import { failingCalls, judge, toolCalls } from './tool-calls.mjs';

const EXIT_TOOL_ERROR = 5;

function targetWords(target) {
  if (target.url === undefined) {
    const variables = Object.entries(target.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    return [target.command, ...target.args, ...variables];
  }
  const headers = Object.entries(target.headers).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ]);
  return [target.url, '--transport', 'http', ...headers];
}

/** Checks each target with the Inspector's command line: gets every list, and calls every tool. */
export async function checkInspector({ modules, environment, targets, pageUrl }) {
  const program = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  for (const target of targets) {
    const inspect = async (exitCode, ...words) => {
      const all = [program, '--cli', ...targetWords(target), ...words, '--format', 'json'];
      const { code, stdout, stderr } = await runProgram(process.execPath, all, environment);
      assert.equal(
        code,
        exitCode,
        `exit code ${code} instead of ${exitCode}\n${stdout.slice(0, 500)}${stderr}`,
      );
      return { result: stdout.trim() === '' ? undefined : JSON.parse(stdout).result, stderr };
    };
    const checked = (what, work) => check(`Inspector, ${target.name}: ${what}`, work);
    // One call of each tool only, because a key has a limit of connections per minute.
    const calls = toolCalls(pageUrl, target.savesFiles).filter(({ what }) => what === undefined);

    await checked('tools/list --strict', async () => {
      const { result, stderr } = await inspect(0, '--method', 'tools/list', '--strict');
      assert.deepEqual(
        result.tools.map(({ name }) => name),
        calls.map(({ name }) => name),
      );
      const warnings = stderr.match(/^Warning: tool/gm)?.length ?? 0;
      if (warnings > 0)
        console.log(`note   ${warnings} warnings of ${target.name} about portability, no error`);
    });
    await checked('resources/list', async () => {
      const { result } = await inspect(0, '--method', 'resources/list');
      assert.ok(result.resources.some(({ uri }) => uri === 'signpost://directory'));
    });
    await checked('resources/templates/list', async () => {
      const { result } = await inspect(0, '--method', 'resources/templates/list');
      assert.ok(result.resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'postcode://{postcode}'));
    });
    await checked('resources/read', async () => {
      const { result } = await inspect(0, '--method', 'resources/read', '--uri', 'postcode://SW1A1AA');
      assert.match(result.contents[0].text, /SW1A 1AA/);
    });
    await checked('prompts/list', async () => {
      const { result } = await inspect(0, '--method', 'prompts/list');
      assert.ok(result.prompts.length > 0);
    });
    const callWords = ({ name, args }) => [
      ...['--method', 'tools/call', '--tool-name', name],
      ...['--tool-args-json', JSON.stringify(args)],
    ];
    for (const call of calls)
      await checked(`tools/call ${call.name}`, async () => {
        const { result } = await inspect(0, ...callWords(call));
        await judge(call, result);
      });
    const [failing] = failingCalls;
    await checked(`tools/call of ${failing.what} exits with ${EXIT_TOOL_ERROR}`, async () => {
      await inspect(EXIT_TOOL_ERROR, ...callWords(failing));
    });
  }
}
