import type { Duplex } from 'node:stream';

/** How long a caller may take to read the last message and to close its end. */
const FAREWELL_MS = 5_000;

/**
 * Sends a last message and closes the server's end of a connection. Destroys the connection after FAREWELL_MS:
 * otherwise a caller that neither reads the message nor closes its end would keep it forever.
 */
export function endConnection(socket: Duplex, message: string): void {
  socket.end(message);
  const tooLong = setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  socket.once('close', () => clearTimeout(tooLong));
}
