import { connect, createServer, type Socket } from 'node:net';
import type { BrowserEndpoint } from '../browser/endpoint.js';
import { listen } from './listen.js';
import { endpointAt, type RemoteBrowser } from './remote-browser.js';

/** The way to a CDP browser, on which the browser can be made to fall silent. */
export interface StallingRelay {
  readonly endpoint: BrowserEndpoint;
  /** From the first answer with these words on, a connection passes nothing more; '' is every answer. */
  stallAt(words: string): void;
  /** Ends the connections that there are; new ones are taken. */
  cut(): void;
  close(): Promise<void>;
}

/** Asks for messages in plain text, in which words can be found. */
const withoutCompression = (chunk: Buffer) =>
  chunk.toString('latin1', 0, 4) === 'GET '
    ? Buffer.from(chunk.toString('latin1').replace(/^sec-websocket-extensions:.*\r\n/imu, ''), 'latin1')
    : chunk;

/** Passes everything between its port and the browser until it is told otherwise. */
export async function startStallingRelay({ port: browserPort }: RemoteBrowser): Promise<StallingRelay> {
  const sockets = new Set<Socket>();
  let stallWords: string | undefined;
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const server = createServer((client) => {
    const browser = connect(browserPort, '127.0.0.1');
    for (const [one, other] of [
      [client, browser],
      [browser, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => one.destroy());
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    let isStalled = false;
    client.on('data', (chunk: Buffer) => browser.write(withoutCompression(chunk)));
    browser.on('data', (chunk: Buffer) => {
      isStalled ||= stallWords !== undefined && chunk.includes(stallWords);
      if (!isStalled) client.write(chunk);
    });
  });
  const port = await listen(server, '127.0.0.1');
  return {
    endpoint: endpointAt(`http://127.0.0.1:${port}`),
    stallAt: (words) => void (stallWords = words),
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
