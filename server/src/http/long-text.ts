import { setImmediate as letOthersRun } from 'node:timers/promises';

/** How much to read before other requests get their turn. */
const STEP_BYTES = 65_536;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** How many bytes a character written as `\u0041` loses at most when it is parsed. */
const SAVED_BY_UNICODE_ESCAPE = 5;
const SAVED_BY_ESCAPE = 1;

const isInsideCharacter = (byte: number) => (byte & 0xc0) === 0x80;

/** A string in a JSON document, by its byte positions. */
export interface LongText {
  /** The position of the first byte after the opening quote. */
  readonly begin: number;
  /** The position of the closing quote, in bytes from the start of the document. */
  readonly end: number;
  /** Positions at which the string can be cut without splitting the bytes of a character or of an escape. */
  readonly cuts: readonly number[];
  /** A lower bound for the length of the string in bytes once it is parsed. */
  readonly minBytes: number;
}

/** Finds the longest string in a JSON document, in steps. */
class LongestText {
  longest: LongText = { begin: 0, end: 0, cuts: [], minBytes: 0 };
  at = 0;
  #begin: number | undefined;
  #cuts: number[] = [];
  #nextCut = 0;
  #saved = 0;

  readonly #json: Buffer;

  constructor(json: Buffer) {
    this.#json = json;
  }

  /** Scans up to this byte, or up to the end of an escape that crosses it. */
  scanTo(stop: number): void {
    const json = this.#json;
    let at = this.at;
    for (; at < stop; at += 1) {
      const byte = json[at] ?? 0;
      if (this.#begin === undefined) {
        if (byte === QUOTE) this.#open(at + 1);
      } else if (byte === QUOTE) {
        this.#close(this.#begin, at);
      } else {
        if (at >= this.#nextCut && !isInsideCharacter(byte)) this.#cut(at);
        if (byte === BACKSLASH) {
          const saved = json[at + 1] === LETTER_U ? SAVED_BY_UNICODE_ESCAPE : SAVED_BY_ESCAPE;
          this.#saved += saved;
          at += saved;
        }
      }
    }
    this.at = at;
  }

  get isOpen(): boolean {
    return this.#begin !== undefined;
  }

  #open(begin: number): void {
    this.#begin = begin;
    this.#cuts = [];
    this.#nextCut = begin + STEP_BYTES;
    this.#saved = 0;
  }

  #cut(at: number): void {
    this.#cuts.push(at);
    this.#nextCut = at + STEP_BYTES;
  }

  #close(begin: number, end: number): void {
    const { longest } = this;
    if (end - begin > longest.end - longest.begin)
      this.longest = { begin, end, cuts: this.#cuts, minBytes: Math.max(end - begin - this.#saved, 0) };
    this.#begin = undefined;
  }
}

/** Finds the longest string of a JSON document in steps. Throws a SyntaxError if a string does not end. */
export async function findLongestText(json: Buffer): Promise<LongText> {
  const search = new LongestText(json);
  while (search.at < json.length) {
    search.scanTo(Math.min(search.at + STEP_BYTES, json.length));
    await letOthersRun();
  }
  if (search.isOpen) throw new SyntaxError('A string does not end.');
  return search.longest;
}

/** Parses a string literal in pieces, serving other requests in between. Throws a SyntaxError if it is not valid. */
export async function parseText(json: Buffer, { begin, end, cuts }: LongText): Promise<string> {
  const pieces: string[] = [];
  for (const [index, from] of [begin, ...cuts].entries()) {
    pieces.push(parseLiteral(json.toString('utf8', from, cuts[index] ?? end)));
    await letOthersRun();
  }
  return pieces.join('');
}

const BEGINNING = /^(?:[^\\]|\\u[\da-f]{4}|\\[^u])*/iu;

/** The parsed beginning of a string literal, from at most `bytes` bytes. */
export function beginningOf(json: Buffer, { begin }: LongText, bytes: number): string {
  const [whole = ''] = BEGINNING.exec(json.toString('utf8', begin, begin + bytes)) ?? [];
  return parseLiteral(whole);
}

function parseLiteral(literal: string): string {
  const parsed: unknown = JSON.parse(`"${literal}"`);
  return typeof parsed === 'string' ? parsed : '';
}
