import type { ServerResponse } from 'node:http';
import type { LentJson } from '../platform/written-json.js';

/** Keeps the bytes that a response was ended with, unless all of them are with the operating system already. */
export function keepUnlessSent(
  { writableEnded, socket }: Pick<ServerResponse, 'writableEnded' | 'socket'>,
  { keep }: LentJson,
): void {
  // Without a socket the response waits for those before it on the connection.
  if (!writableEnded || socket?.writableLength !== 0) keep();
}

/** What an answer is sent by. */
interface Sender {
  send(text: string): unknown;
}

/**
 * Sends the answers that one turn of the event loop makes right after one another, in their order, once all are made: a
 * reader that would sleep between them, such as a proxy on this machine, is woken once and not for each.
 */
export function sendTogether(): (sender: Sender, text: string) => void {
  let waiting: (readonly [Sender, string])[] = [];
  const sendAll = () => {
    const all = waiting;
    waiting = [];
    for (const [sender, text] of all) sender.send(text);
  };
  return (sender, text) => {
    if (waiting.push([sender, text]) === 1) setImmediate(sendAll);
  };
}
