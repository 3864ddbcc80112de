import type { Duplex } from 'node:stream';

/** How long a caller has to read why its connection ends. */
const FAREWELL_MS = 5_000;

/**
 * Says a last thing on a connection and closes it, at the latest after a short while: a caller that neither reads it
 * nor closes its own end would otherwise hold the connection for good.
 */
export function endConnection(socket: Duplex, message: string): void {
  socket.end(message);
  const tooLong = setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  socket.once('close', () => clearTimeout(tooLong));
}
