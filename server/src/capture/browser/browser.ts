import type { ProtocolConnection } from './protocol/connection.js';
import type { ProtocolSession } from './protocol/session.js';

/** What was under way in a browser is lost with it, whether it has ended or does not answer. */
export class BrowserLost extends Error {
  constructor() {
    super('The browser has ended, or was given up.');
    this.name = 'BrowserLost';
  }
}

/** Its own number for its process: the program that was started may be a script that starts it. */
async function ownPid(protocol: ProtocolSession): Promise<number | undefined> {
  const { processInfo } = await protocol.send('SystemInfo.getProcessInfo');
  return processInfo.find(({ type }) => type === 'browser')?.id;
}

/** A browser that runs, here or elsewhere. */
export class Browser {
  private constructor(
    readonly connection: ProtocolConnection,
    /** Of the program, such as "156.0.8078.79". */
    readonly version: string,
    private readonly end: () => Promise<void>,
    /** Its own process; undefined where it runs elsewhere. */
    readonly pid: number | undefined,
  ) {}

  /** A browser once it answers; throws where it ends before. */
  static async over(
    connection: ProtocolConnection,
    end: () => Promise<void>,
    { isOfThisMachine = false } = {},
  ): Promise<Browser> {
    const { product } = await connection.root.send('Browser.getVersion');
    const pid = isOfThisMachine ? await ownPid(connection.root) : undefined;
    return new Browser(connection, product.replace(/^[^/]*\//u, ''), end, pid);
  }

  /** Speaks to the browser itself, not to one of its pages. */
  get protocol(): ProtocolSession {
    return this.connection.root;
  }

  isConnected(): boolean {
    return this.connection.isOpen;
  }

  /** Resolves when it has ended, or the connection to it. */
  get disconnected(): Promise<void> {
    return this.connection.closed;
  }

  /** Ends one of this machine, and leaves nothing of it; lets go of one elsewhere. */
  close(): Promise<void> {
    return this.end();
  }
}
