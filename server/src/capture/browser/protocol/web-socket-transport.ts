import { once } from 'node:events';
import { WebSocket } from 'ws';
import { MAX_MESSAGE_BYTES, type Transport } from './transport.js';

/** Connects to a browser that listens for the protocol; throws the error of the connection where that fails. */
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
        listener.onMessage(data.toString());
      });
      socket.once('close', () => listener.onClose());
      // What is wrong with a connection closes it.
      socket.on('error', () => socket.terminate());
      if (socket.readyState !== WebSocket.OPEN) listener.onClose();
    },
    send: (message) => socket.send(message),
    close: () => socket.terminate(),
  };
}
