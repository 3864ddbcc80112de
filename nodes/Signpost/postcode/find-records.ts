import type { IDataObject } from 'n8n-workflow';
import { contractOperation, maxItemsOf } from '../../shared/contract-operations';
import { objectsOf, sendJson } from '../../shared/json-request';
import type { OperationCall } from '../../shared/operation';
import { textOf } from '../../shared/values';

const offered = contractOperation('lookupPostcodes');
/** The maximum number of postcodes in one request. */
export const MAX_POSTCODES = maxItemsOf('lookupPostcodes', 'postcodes');

/**
 * Matches marks in which spellings of one postcode may differ, such as spaces, dashes, dots, commas, quotes and
 * brackets.
 */
const MARKS = /[\s\p{Dash}\p{Quotation_Mark}\p{Ps}\p{Pe}<>`´′″.,:;=·•…]+/gu;
/** Matches a space or no-break space that is encoded as in URLs or HTML, such as "%20" or "&nbsp;", but not "+". */
const WRITTEN_SPACE = /%20|%C2%A0|&nbsp;|&#0*(?:32|160);|&#x0*(?:20|a0);/giu;
const FULL_WIDTH = /[\uFF01-\uFF5E]/gu;
/** The distance from a full-width letter, digit or mark in Unicode to the usual one. */
const FULL_WIDTH_OFFSET = 0xfee0;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu;
const FORM = /^(?:[A-Z01]{1,2}\d[A-Z\d]?|G1R|NPT)\d[A-Z01]{2}$/u;

/**
 * Matches a text that ends in a space and three characters, which count as an incode. There may be spaces between these
 * characters.
 */
const DIVIDED = / \S ?\S ?\S$/u;
/**
 * Matches an outcode and a space, if a digit (or O or I) or only two letters follow. A text that matches is a postcode
 * only if it also matches DIVIDED: neither "E1 61AA" nor "E16 AN" is one. The server has the same rule.
 */
const DIVIDED_OTHERWISE = /^[A-Z] ?[A-Z]? ?\d ?[A-Z\d]? (?:[\dOI]|[A-Z] ?[A-Z]$)/u;

/**
 * Returns the same text for most spellings that the server reads as the same postcode: ignores case and stray
 * characters, and reads O as 0 and I as 1. Letters such as ı and ſ are not I and S, although their capitals are.
 */
function keyOf(postcode: string): string {
  const words = postcode
    .replace(WRITTEN_SPACE, ' ')
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replace(INVISIBLE, '')
    .replace(MARKS, ' ')
    .trim()
    .replace(/[a-z]+/gu, (letters) => letters.toUpperCase());
  const isOne = DIVIDED.test(words) || !DIVIDED_OTHERWISE.test(words);
  return (isOne ? words.replaceAll(' ', '') : words).replaceAll('O', '0').replaceAll('I', '1');
}

/** Why there is no record for a value that was entered. */
export function notFoundReason(value: unknown): 'blank' | 'malformed' | 'unknown' {
  if (value === undefined || value === null) return 'blank';
  if (typeof value !== 'string') return 'malformed';
  const key = keyOf(value);
  if (key === '') return 'blank';
  return FORM.test(key) ? 'unknown' : 'malformed';
}

/**
 * Matches a text that ends in an incode. The incode must begin with a digit, not with O or I: otherwise the end of a
 * word such as "LIONS" would be an incode.
 */
const ENDS_IN_INCODE = /\d[a-z]{2}\W*$/iu;
/** The maximum number of words at the end of a text that are read together as one postcode. */
const MAX_WORDS = 4;

/**
 * The words at the end of a text that may be a postcode with typing errors or wrong spaces, such as "WC1 A 9NE";
 * undefined if there are none.
 */
export function postcodeAtEnd(text: string): string | undefined {
  if (!ENDS_IN_INCODE.test(text)) return undefined;
  const words = text.split(/[\s,]+/u).filter((word) => keyOf(word) !== '');
  const ends = Array.from({ length: Math.min(MAX_WORDS, words.length) }, (_, index) =>
    words.slice(-index - 1).join(' '),
  );
  return ends.find((end) => notFoundReason(end) === 'unknown');
}

const isJson = (value: unknown): value is IDataObject[string] => value !== undefined;

/** The output in place of a missing record: the entered value, and why nothing was found. */
export const notFound = (value: unknown): IDataObject => ({
  postcode: isJson(value) ? value : '',
  found: false,
  reason: notFoundReason(value),
});

/**
 * The maximum length of a text that is looked up. A longer text is not sent and gets no record, so that the texts of a
 * request stay below the server's limit.
 */
const MAX_CHARACTERS = 40;

const mayBePostcode = (text: string) => keyOf(text) !== '' && text.length <= MAX_CHARACTERS;

/**
 * Looks up any number of postcodes in as few requests as possible. Resolves to a function that returns the record of a
 * text; undefined if there is none.
 */
export async function findRecords(
  call: OperationCall,
  values: readonly unknown[],
  include: readonly string[],
): Promise<(value: unknown) => IDataObject | undefined> {
  const texts = values
    .filter((value) => typeof value === 'string')
    .map((value) => value.trim())
    .filter(mayBePostcode);
  const distinct = [...new Map(texts.map((postcode) => [keyOf(postcode), postcode])).values()];
  const records = new Map<string, IDataObject>();
  for (let start = 0; start < distinct.length; start += MAX_POSTCODES) {
    const postcodes = distinct.slice(start, start + MAX_POSTCODES);
    const body = { postcodes, ...(include.length === 0 ? {} : { include: [...include] }) };
    const { results } = await sendJson(call, offered, { body });
    for (const { index, ...record } of objectsOf(results)) {
      const found = textOf(record.postcode) ?? '';
      // The index says to which text the record belongs: the server repairs more than `keyOf` does, such as L for 1, so
      // the keys may differ. An old server sends no index.
      const text = typeof index === 'number' ? (postcodes[index] ?? found) : found;
      records.set(keyOf(text), record);
    }
  }
  return (value) => (typeof value === 'string' ? records.get(keyOf(value)) : undefined);
}
