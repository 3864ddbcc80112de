import { connect as connectSdk } from './sdk.mjs';

/** The bridge by which clients that know nothing but stdio reach a server over HTTP, here with the SDK's client. */
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
