import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';

const script = join(import.meta.dirname, '../../deploy/health-check.sh');

let server: Server;
let status: number;
let asked: (string | undefined)[];
let port: string;

beforeEach(async () => {
  status = 200;
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? String(address.port) : '';
});
afterEach(() => server.close());

/** Runs the script with only these environment variables. Returns its exit code. */
const exitCodeWith = (env: Readonly<Record<string, string>>) =>
  new Promise<number | null>((resolve) => {
    const child = execFile('sh', [script], { env }, () => resolve(child.exitCode));
  });

// The image has wget; a development machine may not.
const withWget = spawnSync('wget', ['--help']).error === undefined ? test : test.skip;

withWget.each([
  {},
  { SIGNPOST_HOST: '0.0.0.0' },
  { SIGNPOST_HOST: '' },
  { SIGNPOST_HOST: '127.0.0.1' },
  { http_proxy: 'http://127.0.0.1:9' },
])('the health check passes if the server responds: with the variables %j', async (environment) => {
  expect(await exitCodeWith({ ...environment, SIGNPOST_PORT: port })).toBe(0);
  expect(asked).toEqual(['/healthz']);
});

withWget('the health check fails if the server responds with 503 or is not there', async () => {
  status = 503;
  expect(await exitCodeWith({ SIGNPOST_PORT: port })).toBe(1);
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  expect(await exitCodeWith({ SIGNPOST_PORT: port })).toBe(1);
});
