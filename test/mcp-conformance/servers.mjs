import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { bridgeStdio } from './fixture/stdio-bridge.mjs';

const root = join(import.meta.dirname, '../..');
const node = process.env.MCP_SERVER_NODE;

/** How long a server may take to end at SIGTERM before it is killed. */
const END_TIMEOUT_MS = 15_000;

export const signpost = (...words) => ({
  command: node,
  args: [join(root, 'server/bin/signpost.js'), ...words],
});
export const signpostMcp = (...words) => ({
  command: node,
  args: [join(root, 'mcp/bin/signpost-mcp.js'), ...words],
});

/** Starts a program and waits until its output matches `ready`. Returns the match and a function that ends it. */
async function start({ command, args }, environment, ready) {
  const child = spawn(command, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let output = '';
  const match = await new Promise((resolve, reject) => {
    const read = (text) => {
      output += text;
      const found = ready.exec(output);
      if (found !== null) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended too early:\n${output}`)));
  });
  const end = async () => {
    const timer = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS);
    child.kill('SIGTERM');
    await closed;
    clearTimeout(timer);
  };
  return { match, end };
}

/** Starts the core server. Returns its address, its first key, and functions that make further keys and end it. */
export async function startCore(environment) {
  const ready = /running at (\S+)[\s\S]*API key\s+(sp_live_\w+)[\s\S]*\/api\/screenshot/;
  const { match, end } = await start(signpost('start'), environment, ready);
  const { command, args } = signpost(
    ...['key', 'create', '--account', 'operator@localhost', '--project', 'First project'],
    ...['--per-minute', 'unlimited', '--per-day', 'unlimited', '--json'],
  );
  /** Makes a key without limits. */
  const createKey = () => JSON.parse(execFileSync(command, args, { env: environment, encoding: 'utf8' })).key;
  return { url: match[1], apiKey: match[2], createKey, end };
}

/** Starts the stand-alone MCP server over HTTP. */
export async function startStandalone(environment) {
  const { match, end } = await start(
    signpostMcp('--http', '--port', '0'),
    environment,
    /Listening at (http\S+)/,
  );
  return { url: match[1], end };
}

const fixture = (...words) => ({
  command: node,
  args: [join(root, 'test/mcp-conformance/fixture/server.mjs'), ...words],
});

/** Starts the fixture server of the conformance suite over HTTP. */
export async function startFixture(environment) {
  const { match, end } = await start(fixture('http'), environment, /Listening at (http\S+)/);
  return { url: match[1], end };
}

/** Starts a program on stdio, by default the fixture server, and a bridge that makes it reachable over HTTP. */
export const startBridge = (first, environment, program = fixture()) =>
  bridgeStdio({ ...program, env: environment }, first);

async function listen(answer) {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, end };
}

/** Serves a page to capture, which fits into one window. */
export const startPage = () =>
  listen((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end('<!doctype html><title>A page</title><h1 style="color: navy">A page to capture</h1>');
  });

/**
 * Starts a proxy for clients that cannot send a key: it adds a key to each request and passes the request on to `url`.
 * It uses the keys in turn, because the server limits how many lists a key may request per minute.
 */
export const startKeyAdder = (url, keys) => {
  let next = 0;
  return listen((incoming, response) => {
    next = (next + 1) % keys.length;
    const headers = { ...incoming.headers, 'x-api-key': keys[next] };
    const outgoing = request(new URL(incoming.url, url), { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
};
