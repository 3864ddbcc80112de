/** Receives the messages of a transport. */
export interface TransportListener {
  /**
   * Called when data arrives: by a pipe for each piece, even if it is only part of a message, and by a WebSocket for
   * each whole message.
   */
  onData(): void;
  onMessage(message: string): void;
  /**
   * Called in place of `onMessage` for a message that is too long, with its beginning and its end. A WebSocket calls it
   * only for events, because a reply that is too long closes the connection.
   */
  onTooLong(head: string, tail: string): void;
  /** Called once, when nothing more will arrive, whichever side closed the connection. */
  onClose(): void;
}

/** Carries the messages of the protocol, each a whole JSON text. */
export interface Transport {
  /** Called once, before anything is sent. */
  listen(listener: TransportListener): void;
  send(message: string): void;
  close(): void;
}

/**
 * The maximum size of a reply, such as a file encoded as text. A pipe drops a longer reply; a longer one on a WebSocket
 * closes the connection.
 */
export const MAX_MESSAGE_BYTES = 300_000_000;
