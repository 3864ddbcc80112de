import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endGroup } from './end-child.js';
import { onEnd } from './endings.js';

/** A browser in a separate process that is driven over a WebSocket on loopback. */
export interface RemoteBrowser {
  readonly endpoint: string;
  end(): Promise<void>;
}

/** Flags that remote browsers need, so that no UDP bypasses the proxy through which pages load. */
const GUARD_FLAGS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
];

/** Starts a browser that a server uses like one on another machine: only over its WebSocket. */
export async function startRemoteBrowser(program: string): Promise<RemoteBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'signpost-bench-browser-'));
  const flags = [
    '--headless',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    ...GUARD_FLAGS,
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  const child = spawn(program, flags, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const end = onEnd(async () => {
    await endGroup(child);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const [, address] = /DevTools listening on (ws:\S+)/u.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The browser did not start:\n${text}`)));
  });
  return { endpoint, end };
}
