import { Transform, type TransformCallback } from 'node:stream';

/** Valid names of headers according to RFC 9110. */
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/u;
/** Header values that can be passed on: without control characters except the tab. */
const VALUE = /^(?:[\t\u0020-\u007E]|[\u0080-\u00FF])*$/u;
const STATUS_LINE = /^HTTP\/1\.[01] +([1-9]\d\d)(?: |$)/u;
const HEAD_END = /\r?\n\r?\n/u;

/** The maximum number of interim responses before the final one. */
const MAX_INTERIM = 8;

const invalid = (part: string) =>
  Object.assign(new Error(`Invalid answer: ${part}`), { code: 'HPE_INVALID_ANSWER' });

/** The header lines, each joined with the lines that continue it. */
function unfoldLines(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const line of lines)
    if (/^[ \t]/u.test(line) && joined.length > 0) joined.push(`${joined.pop() ?? ''} ${line.trim()}`);
    else joined.push(line);
  return joined;
}

/**
 * The length that the values of Content-Length state; undefined if there are no values. Throws if they state several
 * different lengths, or something that is not a number.
 */
function parseLength(values: readonly string[]): string | undefined {
  const lengths = new Set(values.flatMap((value) => value.split(',')).map((length) => length.trim()));
  const [length] = lengths;
  if (length !== undefined && (lengths.size > 1 || !/^\d+$/u.test(length))) throw invalid('its length');
  return length;
}

/**
 * Rewrites the head of a response so that it can be read in only one way. Header lines whose name or value is not
 * valid are left out, as browsers ignore them, and the length of the body is stated at most once. Throws if the status
 * is not valid, or if the length or the encoding of the body is ambiguous or not valid.
 */
function cleanHead(head: string): { readonly status: string; readonly text: string } {
  const [statusLine = '', ...lines] = head.split(/\r?\n/u);
  const status = STATUS_LINE.exec(statusLine)?.[1];
  if (status === undefined) throw invalid('its status');
  const pairs = unfoldLines(lines).flatMap((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trimEnd();
    const value = line.slice(colon + 1).trim();
    const isFraming = /^(?:content-length|transfer-encoding)$/iu.test(name);
    if (isFraming && !VALUE.test(value)) throw invalid('its length');
    return colon > 0 && NAME.test(name) && VALUE.test(value) ? [[name, value] as const] : [];
  });
  const valuesOf = (headerName: string) =>
    pairs.flatMap(([name, value]) => (name.toLowerCase() === headerName ? [value] : []));
  const length = parseLength(valuesOf('content-length'));
  const encodings = valuesOf('transfer-encoding');
  if (encodings.length > 1 || encodings.some((value) => value.toLowerCase() !== 'chunked'))
    throw invalid('its encoding');
  const keptPairs = pairs.filter(([name]) => name.toLowerCase() !== 'content-length');
  if (length !== undefined && encodings.length === 0) keptPairs.push(['Content-Length', length]);
  const headers = keptPairs.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return { status, text: `HTTP/1.1 ${status} \r\n${headers}\r\n` };
}

/**
 * Cleans the head of the only response on a connection, and drops interim responses before it. Passes its body on
 * unchanged.
 */
export class LenientHead extends Transform {
  readonly #maxBytes: number;
  #waiting: Buffer | undefined = Buffer.alloc(0);
  #interim = 0;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    if (this.#waiting === undefined) {
      callback(null, chunk);
      return;
    }
    this.#waiting = Buffer.concat([this.#waiting, chunk]);
    try {
      callback(null, this.#clean(this.#waiting));
    } catch (error) {
      callback(error instanceof Error ? error : invalid('its head'));
    }
  }

  override _flush(callback: TransformCallback): void {
    callback(this.#waiting === undefined ? null : invalid('its head'));
  }

  /** The cleaned head and the bytes after it; undefined until the whole head has arrived. */
  #clean(received: Buffer): Buffer | undefined {
    let bytes = received;
    for (;;) {
      const text = bytes.toString('latin1', 0, this.#maxBytes);
      const end = HEAD_END.exec(text);
      if (end === null) {
        if (bytes.length > this.#maxBytes) throw invalid('its head');
        this.#waiting = bytes;
        return undefined;
      }
      const rest = bytes.subarray(end.index + end[0].length);
      const { status, text: head } = cleanHead(text.slice(0, end.index));
      if (!/^1(?!01)/u.test(status)) {
        this.#waiting = undefined;
        return Buffer.concat([Buffer.from(head, 'latin1'), rest]);
      }
      // This is an interim response; the final one follows.
      this.#interim += 1;
      if (this.#interim > MAX_INTERIM) throw invalid('its interim responses');
      bytes = rest;
    }
  }
}
