import { LIMITS } from './limits.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/** Where the string ends that begins at a quote of a JSON text. */
function endOfString(json: string, begin: number): number {
  for (let at = json.indexOf('"', begin + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return json.length;
}

/**
 * Why a JSON text cannot be taken: it has more fields and entries than any request of ours, all its objects and lists
 * together; undefined where it has not. Found without parsing it, which of a text full of fields takes milliseconds.
 */
export function tooManyValues(json: string): string | undefined {
  const { max } = LIMITS.bodyValues;
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === COMMA || code === BRACKET || code === BRACE) values += 1;
    if (values > max)
      return `The request body has too many fields and entries: at most ${max} are taken, all its objects and lists together.`;
  }
  return undefined;
}
