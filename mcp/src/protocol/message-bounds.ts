import type { IncomingHttpHeaders } from 'node:http';

/** Clients that send batches at all send a few; each message costs what a request of its own does. */
const MAX_MESSAGES = 20;
/** What an answer repeats. */
const MAX_REPEATED_CHARACTERS = 200;

const VERSION_HEADER = 'mcp-protocol-version';

/** Methods whose requests run an operation, which counts; all others are answered out of this process. */
const RUN_OPERATIONS: ReadonlySet<unknown> = new Set(['tools/call', 'resources/read', 'completion/complete']);

const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body]);

const fieldOf = (message: unknown, name: string): unknown =>
  typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;

const isTooLong = (value: unknown) => typeof value === 'string' && value.length > MAX_REPEATED_CHARACTERS;

/** Why the messages of a request cannot be taken; undefined where they can. To be asked before the SDK is. */
export function messagesProblem(headers: IncomingHttpHeaders, body: unknown): string | undefined {
  if (isTooLong(headers[VERSION_HEADER]))
    return 'The header "Mcp-Protocol-Version" must be a date such as 2025-11-25.';
  if (Array.isArray(body) && body.length > MAX_MESSAGES)
    return `Send at most ${MAX_MESSAGES} messages at once; these are ${body.length}.`;
  if (messagesOf(body).some((message) => isTooLong(fieldOf(message, 'id'))))
    return `The "id" of a message must have at most ${MAX_REPEATED_CHARACTERS} characters.`;
  return undefined;
}

/** How many messages of a body run an operation, and how many do not. */
export function countMessages(body: unknown): { readonly running: number; readonly others: number } {
  const messages = messagesOf(body);
  const running = messages.filter((message) => RUN_OPERATIONS.has(fieldOf(message, 'method'))).length;
  return { running, others: messages.length - running };
}
