/** One part of a tool's result, as in the protocol. */
export type Content =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string; mimeType: string; size: number };

/** The result of a tool. If the tool has an output schema, a result without `isError` needs `structuredContent`. */
export type ToolResult = {
  content: Content[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

/** Desktop clients reject results above 1 MiB. This leaves room for the message around the result. */
export const MAX_RESULT_BYTES = 1_000_000;

export const text = (words: string): Content => ({ type: 'text', text: words });

/** A result with fields and a text, because some clients pass on only one of them. */
export const structured = (words: string, fields: Record<string, unknown>): ToolResult => ({
  content: [text(words)],
  structuredContent: fields,
});

/** The result of a failed call, with a message for the model. */
export const failure = (words: string): ToolResult => ({ content: [text(words)], isError: true });

export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** JSON takes at most six bytes for a character, if it has to be escaped. */
const MAX_BYTES_PER_CHARACTER = 6;
const MAX_BYTES_PER_VALUE = 32;

/** An upper bound for the length of a value as JSON, in bytes. */
function maxBytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length * MAX_BYTES_PER_CHARACTER + 2;
  if (!isFields(value)) return MAX_BYTES_PER_VALUE;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const item of value) bytes += 1 + maxBytesOf(item);
    return bytes;
  }
  for (const key of Object.keys(value))
    bytes += key.length * MAX_BYTES_PER_CHARACTER + 4 + maxBytesOf(value[key]);
  return bytes;
}

/** Returns the result, or a failure which says that the result is too large for clients. */
export function withinLimit(result: ToolResult): ToolResult {
  if (maxBytesOf(result) <= MAX_RESULT_BYTES) return result;
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes <= MAX_RESULT_BYTES) return result;
  return failure(
    `The result has ${bytes} bytes, more than the ${MAX_RESULT_BYTES} that a tool may answer. Ask for less in one call.`,
  );
}
