import { settledWithin } from '../../platform/within-time.js';
import type { BrowserKind } from './browser-kind.js';
import type { ProtocolConnection } from './protocol/connection.js';
import type { ProtocolSession } from './protocol/session.js';

/**
 * When a whole browser ends, its pages close first. After this time it is known whether only a page or the browser
 * has ended.
 */
export const BROWSER_END_MS = 100;

/** The error of work that was lost because its browser ended or stopped responding. */
export class BrowserGone extends Error {
  constructor(
    readonly browser: Browser,
    /** Whether the browser was ended because a process that its pages share used too much memory. */
    readonly isOvergrown = false,
    cause?: unknown,
  ) {
    super('The browser has ended, or was given up.', { cause });
    this.name = 'BrowserGone';
  }

  /** Resolves when the connection to the browser has ended, or after BROWSER_END_MS. */
  async settled(): Promise<void> {
    await settledWithin(this.browser.disconnected, BROWSER_END_MS);
  }
}

/**
 * The process id that the browser itself reports, because the program that was started may be a script that starts
 * the browser.
 */
async function ownPid(protocol: ProtocolSession): Promise<number | undefined> {
  const { processInfo } = await protocol.send('SystemInfo.getProcessInfo');
  return processInfo.find(({ type }) => type === 'browser')?.id;
}

/** A running browser, local or remote. */
export class Browser {
  #end: () => Promise<void>;

  constructor(
    readonly connection: ProtocolConnection,
    /** The program's version, such as "156.0.8078.79". */
    readonly version: string,
    end: () => Promise<void>,
    /** The process id of the browser itself; undefined for a remote browser. */
    readonly pid: number | undefined,
    /** The kind of the browser; undefined for a remote browser, whose flags are not known. */
    readonly kind: BrowserKind | undefined,
  ) {
    this.#end = end;
  }

  /**
   * Returns the browser once it responds. Throws if it ends before that. `kind` is set for a browser on this machine.
   */
  static async connect(
    connection: ProtocolConnection,
    end: () => Promise<void>,
    kind?: BrowserKind,
  ): Promise<Browser> {
    const { product } = await connection.root.send('Browser.getVersion');
    const pid = kind === undefined ? undefined : await ownPid(connection.root);
    return new Browser(connection, product.replace(/^[^/]*\//u, ''), end, pid, kind);
  }

  /** The session that sends commands to the browser itself, not to one of its pages. */
  get protocol(): ProtocolSession {
    return this.connection.root;
  }

  /** Whether frames of a page may run in processes of their own. */
  get mayIsolateFrames(): boolean {
    return this.kind !== 'plain';
  }

  isConnected(): boolean {
    return this.connection.isOpen;
  }

  /** Resolves when the browser, or the connection to it, has ended. */
  get disconnected(): Promise<void> {
    return this.connection.closed;
  }

  /** Ends a local browser and removes its files; disconnects from a remote one. */
  close(): Promise<void> {
    return this.#end();
  }
}
