/** Who hears what comes over a transport. */
export interface TransportListener {
  /** Something came, be it a part of a message. */
  onData(): void;
  onMessage(message: string): void;
  /** A message that is too long to be held; its beginning, which names what it answers. */
  onTooLong(head: string): void;
  /** Nothing comes any more, no matter who ended it; called once. */
  onClose(): void;
}

/** Carries the messages of the protocol, each a whole JSON text. */
export interface Transport {
  /** Called once, before anything is sent. */
  listen(listener: TransportListener): void;
  send(message: string): void;
  close(): void;
}

/** Some times the largest file that a capture may be of, as text; what is longer is not held in memory. */
export const MAX_MESSAGE_BYTES = 300_000_000;
