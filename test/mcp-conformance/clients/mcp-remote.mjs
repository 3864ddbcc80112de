import { connect as connectSdk } from './sdk.mjs';

/** Connects the SDK's client through mcp-remote, by which clients that only support stdio reach a server over HTTP. */
export async function connect(load, target, { modules, environment }) {
  const headers = Object.entries(target.headers).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ]);
  return connectSdk(load, {
    command: process.execPath,
    args: [`${modules}/mcp-remote/dist/proxy.js`, target.url, '--transport', 'http-only', ...headers],
    env: environment,
  });
}
