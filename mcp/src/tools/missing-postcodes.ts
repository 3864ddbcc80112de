import { cleanPostcode, type PostcodeRecord } from '@signpost/contract';

const SHOWN_CHARACTERS = 40;

/** A postcode without its case, its spaces, and the dirt and slips that look-ups repair. */
const folded = (postcode: string) =>
  cleanPostcode(postcode).toUpperCase().replace(/\s/gu, '').replaceAll('O', '0').replaceAll('I', '1');

/** Those of the postcodes asked that have no record, as they were sent; the records come in the order asked. */
export function missingPostcodes(asked: readonly string[], results: readonly PostcodeRecord[]): string[] {
  let next = 0;
  return asked
    .filter((postcode) => {
      const record = results[next];
      if (record === undefined || folded(record.postcode) !== folded(postcode)) return true;
      next += 1;
      return false;
    })
    .map((postcode) => postcode.slice(0, SHOWN_CHARACTERS));
}
