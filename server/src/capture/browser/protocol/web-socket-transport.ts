import { once } from 'node:events';
import { WebSocket } from 'ws';
import { MAX_EVENT_BYTES } from './event-budget.js';
import { END_BYTES, isEvent } from './message-head.js';
import { MAX_MESSAGE_BYTES, type Transport } from './transport.js';

/**
 * Connects to the browser at this address. Throws the error of the connection if it fails, or if it takes longer than
 * `timeoutMs`.
 */
export async function connectWebSocket(url: string, timeoutMs: number): Promise<Transport> {
  const socket = new WebSocket(url, {
    handshakeTimeout: timeoutMs,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  try {
    await once(socket, 'open');
  } catch (error) {
    socket.on('error', () => undefined);
    socket.terminate();
    throw error;
  }
  return {
    listen(listener) {
      socket.on('message', (data: Buffer) => {
        listener.onData();
        const head = data.toString('utf8', 0, END_BYTES);
        if (data.length > MAX_EVENT_BYTES && isEvent(head))
          listener.onTooLong(head, data.toString('utf8', data.length - END_BYTES));
        else listener.onMessage(data.toString());
      });
      socket.once('close', () => listener.onClose());
      // Any error closes the connection.
      socket.on('error', () => socket.terminate());
      if (socket.readyState === WebSocket.CLOSED) listener.onClose();
    },
    send: (message) => socket.send(message),
    close: () => socket.terminate(),
  };
}
