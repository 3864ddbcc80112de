import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseEndpoints, type BrowserEndpoint } from '../browser/endpoint.js';
import { findBrowser } from '../find-browser.js';

/** A browser in a process of its own, as one on another machine would be. */
export interface RemoteBrowser {
  readonly port: number;
  readonly endpoint: BrowserEndpoint;
  /** Sends a signal to all its processes; after SIGKILL none of them is left when it resolves. */
  signal(name: NodeJS.Signals): Promise<void>;
  remove(): Promise<void>;
}

/** What the documentation has people start browsers with. */
export const SAFE_FLAGS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
];

export const endpointAt = (address: string): BrowserEndpoint => {
  const [endpoint] = parseEndpoints([address]);
  if (endpoint === undefined) throw new Error(`No endpoint: ${address}`);
  return endpoint;
};

const programToUse = async () => {
  const searchPath = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].join(delimiter);
  const found = await findBrowser({ searchPath, withEmbedded: true });
  if (found === undefined) throw new Error('No browser was found.');
  return found.program;
};

/** Starts a program in a process group of its own and waits for the address that it prints. */
async function start(program: string, words: readonly string[], folder: string) {
  // As its own group, and not on a terminal: one signal reaches the browser's children too.
  const child = spawn(program, words, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let printed = '';
  const address = await new Promise<string>((resolve, reject) => {
    const read = (text: string) => {
      printed += text;
      const found = /(ws:\/\/\S+)\s/u.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('close', () => reject(new Error(`It ended: ${printed}`)));
    child.once('error', reject);
  });
  const signal = async (name: NodeJS.Signals) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, name);
    if (name === 'SIGKILL') await closed;
  };
  return {
    address,
    signal,
    remove: async () => {
      await signal('SIGKILL');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const portOf = (address: string) => Number(new URL(address).port);
const newFolder = () => mkdtemp(join(tmpdir(), 'signpost-remote-'));

/** A browser that listens for the DevTools protocol on loopback; port 0 takes any. */
export async function startCdpBrowser(flags: readonly string[], port = 0): Promise<RemoteBrowser> {
  const folder = await newFolder();
  const words = [
    `--remote-debugging-port=${port}`,
    `--user-data-dir=${folder}`,
    '--no-sandbox',
    '--disable-gpu',
    ...flags,
    'about:blank',
  ];
  const { address, ...rest } = await start(await programToUse(), words, folder);
  return { ...rest, port: portOf(address), endpoint: endpointAt(`http://127.0.0.1:${portOf(address)}`) };
}

const playwrightCli = () =>
  join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');

/** Playwright's own server around one browser, which all who connect share. */
export async function startPlaywrightServer(flags: readonly string[], port = 0): Promise<RemoteBrowser> {
  const folder = await newFolder();
  const config = join(folder, 'config.json');
  const options = {
    executablePath: await programToUse(),
    args: flags,
    port,
    host: '127.0.0.1',
    wsPath: '/secret-path',
  };
  await writeFile(config, JSON.stringify(options));
  const words = [playwrightCli(), 'launch-server', '--browser', 'chromium', '--config', config];
  const { address, ...rest } = await start(process.execPath, words, folder);
  return { ...rest, port: portOf(address), endpoint: endpointAt(address) };
}
