/** This much of either end of a message tells whose it is. */
export const END_BYTES = 200;

const EVENT = '{"method":';
const REPLY_ID = /^\{"id":(\d+)/u;
/** Browsers end a message with its session. Inside a text a quotation mark is escaped, so no page can make this up. */
const SESSION = /,"sessionId":"([^"\\]+)"\}$/u;

/** Whether a message that begins so is an event, and not the reply to a command. */
export const isEvent = (head: string): boolean => head.startsWith(EVENT);

/** The command that a message which begins so replies to; undefined for an event. */
export function repliedId(head: string): number | undefined {
  const id = REPLY_ID.exec(head)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** The session of a message that ends so; undefined if it is of the browser itself. */
export const sessionOf = (tail: string): string | undefined => SESSION.exec(tail)?.[1];
