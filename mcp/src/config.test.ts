import { CommanderError } from 'commander';
import { createCommand, type Options } from './config.js';

const before = { ...process.env };
beforeEach(() => {
  for (const name of Object.keys(process.env).filter((key) => key.startsWith('SIGNPOST_')))
    Reflect.deleteProperty(process.env, name);
});
afterEach(() => {
  process.env = { ...before };
});

async function optionsOf(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  Object.assign(process.env, environment);
  const got: Options[] = [];
  const command = createCommand((options) => {
    got.push(options);
    return Promise.resolve();
  }).configureOutput({ writeErr: () => undefined });
  await command.parseAsync([...words], { from: 'user' });
  return got[0];
}

test('without arguments and variables, uses the defaults', async () => {
  expect(await optionsOf([])).toEqual({
    baseUrl: 'http://127.0.0.1:3000',
    http: false,
    host: '127.0.0.1',
    port: 3001,
    allowedHosts: [],
    allowedOrigins: [],
    maxWaitSeconds: 20,
  });
});

const asked = {
  baseUrl: 'https://signpost.example',
  http: true,
  host: '0.0.0.0',
  port: 8080,
  allowedHosts: ['signpost', 'mcp.example:8443'],
  allowedOrigins: ['https://app.example'],
  outputDir: '/captures',
  publicUrl: 'https://mcp.example:8443',
  maxWaitSeconds: 0,
};

test('every option except --version can be set by its flag', async () => {
  const words = [
    ...['--base-url', 'https://signpost.example', '--http', '--host', '0.0.0.0', '--port', '8080'],
    ...['--allowed-hosts', 'signpost, mcp.example:8443', '--allowed-origins', 'https://app.example'],
    ...['--output-dir', '/captures', '--max-wait-seconds', '0', '--public-url', 'https://MCP.example:8443/'],
    ...['--check', '--json'],
  ];
  expect(await optionsOf(words)).toEqual({ ...asked, check: true, json: true });
  const flags = words.filter((word) => word.startsWith('--'));
  const all = createCommand(() => Promise.resolve()).options.flatMap(({ long }) => long ?? []);
  expect(new Set([...flags, '--version'])).toEqual(new Set(all));
});

test('every option that has a variable can be set by it', async () => {
  const environment = {
    SIGNPOST_BASE_URL: 'https://signpost.example',
    SIGNPOST_MCP_HTTP: 'yes',
    SIGNPOST_MCP_HOST: '0.0.0.0',
    SIGNPOST_MCP_PORT: '8080',
    SIGNPOST_MCP_ALLOWED_HOSTS: 'signpost mcp.example:8443',
    SIGNPOST_MCP_ALLOWED_ORIGINS: 'https://app.example',
    SIGNPOST_MCP_OUTPUT_DIR: '/captures',
    SIGNPOST_MCP_MAX_WAIT_SECONDS: '0',
    SIGNPOST_MCP_PUBLIC_URL: 'https://mcp.example:8443',
  };
  expect(await optionsOf([], environment)).toEqual(asked);
  const variables = createCommand(() => Promise.resolve()).options.flatMap(({ envVar }) => envVar ?? []);
  expect(new Set(Object.keys(environment))).toEqual(new Set(variables));
});

test('a flag takes precedence over its variable, and a variable with the value "no" means off', async () => {
  const environment = { SIGNPOST_MCP_HTTP: 'no', SIGNPOST_MCP_PORT: '8080' };
  expect(await optionsOf(['--port', '9090'], environment)).toMatchObject({ http: false, port: 9090 });
});

test.each([
  ['--port', '70000'],
  ['--port', '-1'],
  ['--max-wait-seconds', '1.5'],
  ['--http', 'maybe'],
  ['--public-url', 'https://mcp.example/path'],
  ['--public-url', '*'],
  ['--api-key', 'sp_live_x'],
])('rejects the flag %s with the value %s', async (...words) => {
  await expect(optionsOf(words)).rejects.toThrow(CommanderError);
});
