/** How many bytes at each end of a message are enough to find its recipient. */
export const END_BYTES = 200;

const EVENT = '{"method":';
const REPLY_ID = /^\{"id":(\d+)/u;
/** The session id at the end of a message. Browsers escape quotation marks in texts, so no page can fake it. */
const SESSION = /,"sessionId":"([^"\\]+)"\}$/u;

/** Whether a message with this beginning is an event rather than the reply to a command. */
export const isEvent = (head: string): boolean => head.startsWith(EVENT);

/** The id of the command that a message with this beginning replies to; undefined for an event. */
export function repliedId(head: string): number | undefined {
  const id = REPLY_ID.exec(head)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** The id of the session of a message with this end; undefined for the browser itself. */
export const sessionOf = (tail: string): string | undefined => SESSION.exec(tail)?.[1];
