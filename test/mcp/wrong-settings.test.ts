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

/** Runs `signpost-mcp` on standard input and output with these variables. Returns all that it prints for one call. */
async function callWith(settings: Readonly<Record<string, string>>): Promise<string> {
  const env = { PATH: process.env.PATH, SIGNPOST_API_KEY: 'sp_live_x', ...settings };
  const child = spawn(process.execPath, ['mcp/bin/signpost-mcp.js'], { env });
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  const clientInfo = { name: 'test', version: '1' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
    { id: 2, method: 'tools/call', params: { name: 'get_usage', arguments: {} } },
  ];
  child.stdin.end(messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''));
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  return stdout;
}

test.each([
  ['SIGNPOST_API_KEY', 'two words'],
  ['SIGNPOST_API_KEY', '${SIGNPOST_KEY}'],
  ['SIGNPOST_API_KEY', ''],
  ['SIGNPOST_BASE_URL', 'signpost.example'],
  ['SIGNPOST_BASE_URL', '${input:address}'],
  ['SIGNPOST_MCP_HTTP', 'maybe'],
  ['SIGNPOST_MCP_MAX_WAIT_SECONDS', '1.5'],
])(
  'a wrong %s (%j) does not end signpost-mcp, and is named in the error of a tool call',
  async (...setting) => {
    const [variable, value] = setting;
    const stdout = await callWith({ [variable]: value });
    expect(stdout).toContain('"isError":true');
    expect(stdout).toContain(variable);
    expect(stdout).toContain('The client has to be restarted once this is corrected.');
  },
);

test('quotation marks and spaces around the values of variables are removed', async () => {
  const stdout = await callWith({
    SIGNPOST_API_KEY: ' "sp_live_x"\n',
    SIGNPOST_BASE_URL: '"http://127.0.0.1:9"',
    SIGNPOST_MCP_MAX_WAIT_SECONDS: '',
    SIGNPOST_MCP_OUTPUT_DIR: '${DOWNLOADS}/signpost',
  });
  expect(stdout).toContain('Cannot reach the Signpost server at http://127.0.0.1:9');
});

test.each([
  ['SIGNPOST_BASE_URL', 'signpost.example'],
  ['SIGNPOST_MCP_PORT', '70000'],
  ['SIGNPOST_MCP_ALLOWED_HOSTS', 'http://a.example'],
  ['SIGNPOST_MCP_ALLOWED_ORIGINS', 'a.example'],
])(
  'over HTTP, a wrong %s (%s) ends signpost-mcp with 1 and a message without a stack trace',
  async (variable, value) => {
    const { code, stdout, stderr } = await run({ [variable]: value }, ['--http']);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(variable);
    expect(stderr).not.toMatch(/^\s+at /mu);
  },
);

test('signpost-mcp exits with 1 if it cannot listen, and names the variables for host and port', async () => {
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

test('signpost-mcp exits with 2 if an option has an invalid value', async () => {
  expect(await run({}, ['--port', '70000'])).toMatchObject({ code: 2, stdout: '' });
});
