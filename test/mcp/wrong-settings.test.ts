import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Runs `signpost-mcp` with these variables to its end. */
async function run(settings: Readonly<Record<string, string>>, words: readonly string[] = []) {
  const env = { PATH: process.env.PATH, SIGNPOST_API_KEY: 'sp_live_x', ...settings };
  const child = spawn(process.execPath, ['mcp/bin/signpost-mcp.js', ...words], { env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  // Standard input stays open: a server that started would wait for its client.
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

test.each([
  ['SIGNPOST_API_KEY', 'two words'],
  ['SIGNPOST_BASE_URL', 'signpost.example'],
  ['SIGNPOST_MCP_HTTP', 'maybe'],
  ['SIGNPOST_MCP_PORT', '70000'],
  ['SIGNPOST_MCP_MAX_WAIT_SECONDS', '1.5'],
  ['SIGNPOST_MCP_ALLOWED_HOSTS', 'http://a.example'],
  ['SIGNPOST_MCP_ALLOWED_ORIGINS', 'a.example'],
])('a wrong %s (%s) ends signpost-mcp with 1, its sentence and no stack', async (variable, value) => {
  const { code, stdout, stderr } = await run({ [variable]: value });

  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(variable);
  expect(stderr).not.toMatch(/^\s+at /mu);
});

test('a place where it cannot listen ends it the same way', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const outcomes = [
    await run({ SIGNPOST_MCP_HTTP: 'yes', SIGNPOST_MCP_PORT: port }),
    await run({ SIGNPOST_MCP_HTTP: 'yes', SIGNPOST_MCP_PORT: '0', SIGNPOST_MCP_HOST: 'nowhere.invalid' }),
  ];
  taken.close();

  for (const { code, stderr } of outcomes) {
    expect(code).toBe(1);
    expect(stderr).toMatch(/^signpost-mcp: Cannot listen on .*SIGNPOST_MCP_HOST.*SIGNPOST_MCP_PORT.*\n$/mu);
  }
});

test('a wrong word of the command line ends it with 2', async () => {
  expect(await run({}, ['--port', '70000'])).toMatchObject({ code: 2, stdout: '' });
});
