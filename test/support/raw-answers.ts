/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** By name in lower case; of a repeated one the last. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const NO_BODY = new Set([204, 304]);

function readHead(text: string) {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /u.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`This is no status line: ${statusLine.slice(0, 200)}`);
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status, headers: Object.fromEntries<string>(headers) };
}

/** Reads a chunked body; undefined while its end has not come. */
function readChunks(bytes: Buffer, start: number) {
  const parts: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const chunkEnd = lineEnd + 2 + length;
    if (bytes.length < chunkEnd + 2) return undefined;
    parts.push(bytes.subarray(lineEnd + 2, chunkEnd));
    at = chunkEnd + 2;
    if (length === 0) return { body: Buffer.concat(parts).toString(), end: at };
  }
}

function readAnswer(bytes: Buffer, isToHead: boolean): { answer: RawAnswer; end: number } | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const { status, headers } = readHead(bytes.toString('latin1', 0, headEnd));
  const start = headEnd + HEAD_END.length;
  if (isToHead || NO_BODY.has(status)) return { answer: { status, headers, body: '' }, end: start };
  if (headers['transfer-encoding'] === 'chunked') {
    const chunks = readChunks(bytes, start);
    return chunks && { answer: { status, headers, body: chunks.body }, end: chunks.end };
  }
  const end = start + Number(headers['content-length'] ?? 0);
  if (bytes.length < end) return undefined;
  return { answer: { status, headers, body: bytes.toString('utf8', start, end) }, end };
}

/** Takes apart what a connection received into answers, as they become whole; interim ones (1xx) are left out. */
export class AnswerReader {
  private rest: Buffer = Buffer.alloc(0);

  /** `isToHead` says of the answers to come, by their places, whether a HEAD asked for them. */
  add(chunk: Buffer, isToHead: (place: number) => boolean = () => false): readonly RawAnswer[] {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const answers: RawAnswer[] = [];
    for (;;) {
      const read = readAnswer(this.rest, isToHead(answers.length));
      if (read === undefined) return answers;
      this.rest = this.rest.subarray(read.end);
      if (read.answer.status >= 200) answers.push(read.answer);
    }
  }
}
