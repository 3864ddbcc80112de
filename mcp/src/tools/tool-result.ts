/** One part of what a tool answers, as the protocol has it. */
export type Content =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string; mimeType: string; size: number };

/** What a tool answers; `structuredContent` where the tool has an output schema. */
export type ToolResult = {
  content: Content[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

/** Desktop clients refuse results above a mebibyte; this leaves room for the message around it. */
export const MAX_RESULT_BYTES = 1_000_000;

export const text = (words: string): Content => ({ type: 'text', text: words });

/** A result with its fields and the same in words, for clients that hand on only one of them. */
export const structured = (words: string, fields: Record<string, unknown>): ToolResult => ({
  content: [text(words)],
  structuredContent: fields,
});

/** A failure, in words that say what to do next. */
export const failure = (words: string): ToolResult => ({ content: [text(words)], isError: true });

export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** More than JSON makes of a character: what has to be escaped takes six bytes. */
const MAX_BYTES_PER_CHARACTER = 6;
const MAX_BYTES_PER_VALUE = 32;

/** A bound of a value's length as JSON that is quick to find, far above it as a rule. */
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

/** The result, or where no client would take it a failure that says so. */
export function withinLimit(result: ToolResult): ToolResult {
  if (maxBytesOf(result) <= MAX_RESULT_BYTES) return result;
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes <= MAX_RESULT_BYTES) return result;
  return failure(
    `The result has ${bytes} bytes, more than the ${MAX_RESULT_BYTES} that a tool may answer. Ask for less in one call.`,
  );
}
