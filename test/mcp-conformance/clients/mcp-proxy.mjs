import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../scripts/free-port.mjs';
import { connect as connectSdk } from './sdk.mjs';

const LOOK_EVERY_MS = 200;

/** Connects the SDK's client through mcp-proxy, by which clients that only support HTTP reach a server on stdio. */
export async function connect(load, target, { modules }) {
  const port = await freePort();
  const program = `${modules}/mcp-proxy/dist/bin/mcp-proxy.mjs`;
  const words = ['--host', '127.0.0.1', '--port', String(port), '--server', 'stream', '--'];
  const child = spawn(process.execPath, [program, ...words, target.command, ...target.args], {
    env: target.env,
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  const isUp = () =>
    fetch(url, { method: 'HEAD' }).then(
      () => true,
      () => false,
    );
  while (child.exitCode === null && !(await isUp())) await pause(LOOK_EVERY_MS);
  const client = await connectSdk(load, { url, headers: {} });
  return {
    ...client,
    close: async () => {
      const ended = once(child, 'close');
      await client.close();
      child.kill('SIGTERM');
      await ended;
    },
  };
}
