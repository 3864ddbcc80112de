const QUOTE = 34;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const MAX_COLUMNS = 256;
/** A line with more bytes than this is too long, whether or not its end has been read. */
const MAX_LINE_BYTES = 64 * 1024;

/** A line above the header such as "sep=;", with which spreadsheets say which delimiter a file has. */
const SEPARATOR_LINE = /^(?:\uFEFF)?"?sep=(.)"?$/iu;
const DELIMITERS = [',', ';', '\t', '|'];
const DEFAULT_DELIMITER = ','.charCodeAt(0);

/** The delimiter of a line: the one of DELIMITERS that it has most often; a comma if it has none. */
function delimiterOf(line: string): number {
  const countOf = (delimiter: string) => line.split(delimiter).length;
  const [most = ','] = DELIMITERS.toSorted((one, other) => countOf(other) - countOf(one));
  return most.charCodeAt(0);
}

/** The bytes of one line and the positions of its fields, without quotes. Valid only until the next line is read. */
export interface CsvLine {
  buffer: Buffer;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  count: number;
  /** The number of the line, 1-based. */
  number: number;
}

export type LineFault = 'too long' | 'broken quote' | 'too many columns';

const emptyLine = (buffer: Buffer): CsvLine => ({
  buffer,
  starts: new Int32Array(MAX_COLUMNS),
  ends: new Int32Array(MAX_COLUMNS),
  count: 0,
  number: 0,
});

/**
 * Finds the fields of a line. Quoted fields may contain delimiters. Returns the problem with the line, if there is
 * one.
 */
function cutFields(line: CsvLine, from: number, end: number, delimiter: number): LineFault | undefined {
  const { buffer, starts, ends } = line;
  let position = from;
  for (let field = 0; field < MAX_COLUMNS; field += 1) {
    line.count = field + 1;
    if (position < end && buffer[position] === QUOTE) {
      const close = closingQuote(buffer, position + 1, end);
      starts[field] = position + 1;
      ends[field] = close;
      position = close + 1;
      if (close < 0 || (position < end && buffer[position] !== delimiter)) return 'broken quote';
    } else {
      starts[field] = position;
      while (position < end && buffer[position] !== delimiter) position += 1;
      ends[field] = position;
    }
    if (position >= end) return undefined;
    position += 1;
  }
  return 'too many columns';
}

/** The position of the quote that closes a field, skipping doubled quotes; -1 if the field is not closed. */
function closingQuote(buffer: Buffer, from: number, end: number): number {
  let position = from;
  while (position < end) {
    if (buffer[position] === QUOTE) {
      if (position + 1 < end && buffer[position + 1] === QUOTE) position += 1;
      else return position;
    }
    position += 1;
  }
  return -1;
}

/** The fields of a line as texts. */
export const fieldTexts = ({ buffer, starts, ends, count }: CsvLine): string[] =>
  Array.from({ length: count }, (_, index) =>
    buffer.toString('utf8', starts[index], ends[index]).replaceAll('""', '"'),
  );

/** Space, tab, and the character with which old programs end a file. */
const BLANKS = [32, 9, 26];

/** Whether a line is a single field that is empty or has only BLANKS. */
export function isBlank({ buffer, starts, ends, count }: CsvLine): boolean {
  if (count > 1) return false;
  return buffer.subarray(starts[0], ends[0]).every((byte) => BLANKS.includes(byte));
}

const isBlankField = ({ buffer, starts, ends }: CsvLine, index: number) =>
  buffer.subarray(starts[index], ends[index]).every((byte) => BLANKS.includes(byte));

/** Whether all fields of a line are blank. Spreadsheets write lines of delimiters after the last row. */
export function isAllBlank(line: CsvLine): boolean {
  for (let index = 0; index < line.count; index += 1) if (!isBlankField(line, index)) return false;
  return true;
}

/** Drops blank fields from the end of a line, but keeps its first `count` fields. Spreadsheets add blank fields. */
export function trimBlankEnd(line: CsvLine, count: number) {
  while (line.count > count && isBlankField(line, line.count - 1)) line.count -= 1;
}

/**
 * Whether the first line of a file ends with a carriage return and no newline. Undefined if its end is not read yet.
 */
function endsWithReturn(bytes: Buffer): boolean | undefined {
  const newline = bytes.indexOf(NEWLINE);
  const end = bytes.indexOf(CARRIAGE_RETURN);
  if (end < 0 || (newline >= 0 && newline < end)) return newline < 0 ? undefined : false;
  let next = end;
  while (bytes[next] === CARRIAGE_RETURN) next += 1;
  return next === bytes.length ? undefined : bytes[next] !== NEWLINE;
}

/** The end of a line in a file whose first line ends only with a carriage return. -1 if the end is not read yet. */
function endOfOldLine(bytes: Buffer, from: number): number {
  for (let position = from; position < bytes.length; position += 1)
    if (bytes[position] === CARRIAGE_RETURN || bytes[position] === NEWLINE) return position;
  return -1;
}

/**
 * In `csvRows`, a row with line breaks in quoted fields may have at most this many lines. If a quoted field is not
 * closed by then, the first of these lines is left out.
 */
const MAX_LINES_OF_ROW = 5;

/**
 * The rows of a small text, with line breaks in fields replaced by spaces. Leaves out blank rows and rows with a fault.
 */
export function csvRows(text: string, delimiter: string): string[][] {
  const line = emptyLine(Buffer.alloc(0));
  const lines = text.split(/\r\n|[\r\n]/u);
  const rows: string[][] = [];
  let lineIndex = 0;
  while (lineIndex < lines.length) {
    let fault: LineFault | undefined = 'broken quote';
    let lineCount = 0;
    while (fault === 'broken quote' && lineCount < Math.min(MAX_LINES_OF_ROW, lines.length - lineIndex)) {
      lineCount += 1;
      line.buffer = Buffer.from(lines.slice(lineIndex, lineIndex + lineCount).join(' '));
      fault = cutFields(line, 0, line.buffer.length, delimiter.charCodeAt(0));
    }
    const fields = fault === undefined ? fieldTexts(line) : [];
    if (fields.some((field) => field.trim() !== '')) rows.push(fields);
    lineIndex += fault === undefined ? lineCount : 1;
  }
  return rows;
}

/**
 * Splits a stream of bytes into lines and fields, below the header without creating strings. Quoted fields may contain
 * delimiters but no line breaks.
 */
export class CsvLines {
  readonly line = emptyLine(Buffer.alloc(0));
  readonly #onLine: (line: CsvLine) => void;
  readonly #onFault: (fault: LineFault, line: CsvLine) => never;
  /** A buffer with the unfinished line and space for the bytes that follow. */
  #work = Buffer.alloc(2 * MAX_LINE_BYTES);
  #pendingBytes = 0;
  /** The delimiter that a line above the header names. */
  #separator: number | undefined;
  /** The delimiter of the current line; that of the header once it is known. Unused if there is a `#separator`. */
  #delimiter = DEFAULT_DELIMITER;
  #hasHeader = false;
  /**
   * Whether lines end only with a carriage return, as on old Macs. Undefined until the end of the first line is read.
   */
  #endsWithReturn: boolean | undefined;

  /** Calls `onFault`, which must throw, for a line with a fault. Empty lines are counted and skipped. */
  constructor(onLine: (line: CsvLine) => void, onFault: (fault: LineFault, line: CsvLine) => never) {
    this.#onLine = onLine;
    this.#onFault = onFault;
  }

  /**
   * Keeps the delimiter of the current line, the header, for all rows. Until then, each line has its own unless the
   * file names one, because the titles above a header have none.
   */
  headerFound(): void {
    this.#hasHeader = true;
  }

  write(chunk: Buffer): void {
    const length = this.#pendingBytes + chunk.length;
    if (length > this.#work.length) {
      const larger = Buffer.alloc(2 * length);
      this.#work.copy(larger, 0, 0, this.#pendingBytes);
      this.#work = larger;
    }
    chunk.copy(this.#work, this.#pendingBytes);
    const bytes = this.#work.subarray(0, length);
    let from = 0;
    this.#endsWithReturn ??= endsWithReturn(bytes);
    for (;;) {
      const end = this.#endsWithReturn === true ? endOfOldLine(bytes, from) : bytes.indexOf(NEWLINE, from);
      if (end < 0) break;
      this.#cut(bytes, from, end);
      from = end + 1;
    }
    this.#pendingBytes = bytes.copy(this.#work, 0, from);
    if (this.#pendingBytes > MAX_LINE_BYTES) {
      this.line.number += 1;
      this.#onFault('too long', this.line);
    }
  }

  /** Processes the text after the last line break, which is a line too. */
  end(): void {
    if (this.#pendingBytes > 0) this.#cut(this.#work, 0, this.#pendingBytes);
    this.#pendingBytes = 0;
  }

  #cut(buffer: Buffer, from: number, newline: number) {
    const { line } = this;
    line.number += 1;
    let end = newline;
    while (end > from && buffer[end - 1] === CARRIAGE_RETURN) end -= 1;
    if (end === from) return;
    if (!this.#hasHeader && this.#isSeparatorLine(buffer.toString('utf8', from, end))) return;
    line.buffer = buffer;
    const fault =
      end - from > MAX_LINE_BYTES
        ? 'too long'
        : cutFields(line, from, end, this.#separator ?? this.#delimiter);
    if (fault !== undefined) this.#onFault(fault, line);
    this.#onLine(line);
  }

  /** Finds the delimiter of a line above the rows. Returns whether the line only names the delimiter of the file. */
  #isSeparatorLine(text: string): boolean {
    const separator = SEPARATOR_LINE.exec(text)?.[1];
    this.#separator ??= separator?.charCodeAt(0);
    this.#delimiter = delimiterOf(text);
    return separator !== undefined;
  }
}
