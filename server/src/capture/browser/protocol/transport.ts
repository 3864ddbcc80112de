/** Receives the messages of a transport. */
export interface TransportListener {
  /** Called for each piece of data that arrives, even if it is only part of a message. */
  onData(): void;
  onMessage(message: string): void;
  /** Called in place of `onMessage` for an event or a reply that is too long, with its first and last bytes. */
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
 * The maximum size of a reply, such as a file encoded as text. Longer replies are not kept in memory.
 */
export const MAX_MESSAGE_BYTES = 300_000_000;
