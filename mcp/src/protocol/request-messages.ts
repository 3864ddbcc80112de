import type { IncomingHttpHeaders } from 'node:http';
import {
  isJSONRPCRequest,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { isLookedUp } from './resources.js';

/** The most messages in one request, because each may run an operation. */
const MAX_MESSAGES = 20;
/** The maximum length of values that a response may repeat. Names and URIs may be longer. */
const MAX_CHARACTERS = 200;
const MAX_NAME_CHARACTERS = 2_000;
const REPEATED_HEADERS = [
  ['Mcp-Protocol-Version', MAX_CHARACTERS],
  ['Mcp-Method', MAX_CHARACTERS],
  ['Mcp-Name', MAX_NAME_CHARACTERS],
] as const;
const REPEATED_FIELDS = [
  [['id'], MAX_CHARACTERS],
  [['method'], MAX_CHARACTERS],
  [['params', 'name'], MAX_NAME_CHARACTERS],
  [['params', 'uri'], MAX_NAME_CHARACTERS],
  [['params', '_meta', 'progressToken'], MAX_CHARACTERS],
  [['params', '_meta', PROTOCOL_VERSION_META_KEY], MAX_CHARACTERS],
] as const;

const STREAMED_TOOL = /^(?:capture_|read_page$)/u;

export const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body]);

const fieldOf = (message: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    message,
  );

const isTooLong = (value: unknown, max: number) => typeof value === 'string' && value.length > max;

/**
 * Returns the reason to reject a request: too many messages, or a header or field that is too long for a response to
 * repeat it. Undefined if there is none. Call it before you pass the messages to the SDK, which checks the rest.
 */
export function messagesProblem(headers: IncomingHttpHeaders, body: unknown): string | undefined {
  for (const [name, max] of REPEATED_HEADERS)
    if (isTooLong(headers[name.toLowerCase()], max))
      return `The header "${name}" must have at most ${max} characters.`;
  const messages = messagesOf(body);
  if (messages.length > MAX_MESSAGES)
    return `Send at most ${MAX_MESSAGES} messages at once; these are ${messages.length}.`;
  for (const [path, max] of REPEATED_FIELDS)
    if (messages.some((message) => isTooLong(fieldOf(message, path), max)))
      return `The "${path.join('.')}" of a message must have at most ${max} characters.`;
  return undefined;
}

/** Whether a message may run an operation, which is metered. */
function runsOperation(message: unknown): boolean {
  const method = fieldOf(message, ['method']);
  if (method === 'resources/read') return isLookedUp(fieldOf(message, ['params', 'uri']));
  return method === 'tools/call' || method === 'completion/complete';
}

const HANDSHAKES: ReadonlySet<unknown> = new Set([
  'initialize',
  'notifications/initialized',
  'server/discover',
  'ping',
]);

/** Counts the messages of a body: those that may run an operation, those of handshakes, and all other messages. */
export function countMessages(body: unknown): {
  readonly running: number;
  readonly handshakes: number;
  readonly others: number;
} {
  const messages = messagesOf(body);
  const running = messages.filter(runsOperation).length;
  const handshakes = messages.filter((message) => HANDSHAKES.has(fieldOf(message, ['method']))).length;
  return { running, handshakes, others: messages.length - running - handshakes };
}

/** Whether a request is slow or asks for progress, so that a stream is better than plain JSON as its response. */
export const isStreamed = ({ method, params }: JSONRPCRequest) =>
  params?._meta?.progressToken !== undefined ||
  (method === 'tools/call' && typeof params?.name === 'string' && STREAMED_TOOL.test(params.name));

/** Whether a body is a single tool call that is not slow and does not ask for progress. */
export const isPlainToolCall = (body: unknown): boolean =>
  isJSONRPCRequest(body) && body.method === 'tools/call' && !isStreamed(body);
