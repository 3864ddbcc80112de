import type { ServerResponse } from 'node:http';
import type { LentJson } from '../written-json.js';

/** Keeps the bytes that a response was ended with, unless all of them are with the operating system already. */
export function keepUnlessSent(
  { writableEnded, socket }: Pick<ServerResponse, 'writableEnded' | 'socket'>,
  { keep }: LentJson,
): void {
  // Without a socket the response waits for those before it on the connection.
  if (!writableEnded || socket?.writableLength !== 0) keep();
}
