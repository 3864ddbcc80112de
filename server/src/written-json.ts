import type { ServerResponse } from 'node:http';

/** JSON as bytes over which their writer writes its next answer, unless they are kept. */
export interface LentJson {
  readonly bytes: Buffer;
  /** Leaves the bytes to whoever has them: the writer takes others for its next answer. */
  readonly keep: () => void;
}

/** An answer as JSON: a text, or where it is long the bytes themselves, since making a text of them takes longer. */
export type WrittenJson = string | LentJson;

export const textOf = (json: WrittenJson): string =>
  typeof json === 'string' ? json : json.bytes.toString();

/** Keeps the bytes that a response was ended with, unless all of them are with the operating system already. */
export function keepUnlessSent({ writableEnded, socket }: ServerResponse, { keep }: LentJson): void {
  // Without a socket the response waits for those before it on the connection.
  if (!writableEnded || socket?.writableLength !== 0) keep();
}
