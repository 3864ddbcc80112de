import { connect as connectSdk } from './sdk.mjs';

/** Connects the SDK's client through supergateway, by which clients on stdio reach a server over HTTP. */
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
