import { connect as connectSdk } from './sdk.mjs';

/** Another bridge from stdio to a server over HTTP, here with the SDK's client. */
export async function connect(load, target, { modules, environment }) {
  const headers = Object.entries(target.headers).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ]);
  return connectSdk(load, {
    command: process.execPath,
    args: [`${modules}/supergateway/dist/index.js`, '--streamableHttp', target.url, ...headers],
    env: environment,
  });
}
