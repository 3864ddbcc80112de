import type { Duplex } from 'node:stream';

/** How long a caller may take to read the last message and to close its end. */
const FAREWELL_MS = 5_000;

/**
 * Sends a last message on a connection and closes it. After a short while it closes the connection in any case:
 * otherwise a caller that neither reads the message nor closes its end would keep the connection forever.
 */
export function endConnection(socket: Duplex, message: string): void {
  socket.end(message);
  const tooLong = setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  socket.once('close', () => clearTimeout(tooLong));
}
