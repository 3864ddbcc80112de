import type { IDataObject } from 'n8n-workflow';

/** What two spellings of one postcode differ in: spaces, dashes, dots, commas, quotes and invisible characters. */
const DIRT = /[\s\p{Dash}\p{Quotation_Mark}`´′″.,·•…\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const FORM = /^(?:[A-Z01]{1,2}\d[A-Z\d]?|G1R|NPT)\d[A-Z01]{2}$/u;

/**
 * What the server takes for the same postcode: case and dirt do not matter, and it repairs O for 0 and I for 1. No two
 * real postcodes differ in such a slip alone. Letters such as ı and ſ are not I and S, though their capitals are.
 */
export const keyOf = (postcode: string): string =>
  postcode
    .replace(DIRT, '')
    .replace(/[a-z]+/gu, (letters) => letters.toUpperCase())
    .replaceAll('O', '0')
    .replaceAll('I', '1');

/** Why there is no record for a value. */
export function notFoundReason(value: unknown): 'blank' | 'malformed' | 'unknown' {
  if (value === undefined || value === null) return 'blank';
  if (typeof value !== 'string') return 'malformed';
  const key = keyOf(value);
  if (key === '') return 'blank';
  return FORM.test(key) ? 'unknown' : 'malformed';
}

const isJson = (value: unknown): value is IDataObject[string] => value !== undefined;

/** What stands for a record that there is not: the value as it came, and why nothing was found. */
export const notFound = (value: unknown): IDataObject => ({
  postcode: isJson(value) ? value : '',
  found: false,
  reason: notFoundReason(value),
});
