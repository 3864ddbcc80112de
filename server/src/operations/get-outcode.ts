import { operations } from '@signpost/contract';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { keysWithSlips, postcodeOfKey } from '../postcodes/table/normalise-postcode.js';
import { ServiceError } from '../platform/errors.js';
import { notInDirectory, shownText } from './known-postcode.js';
import { bindJson } from './operation-handler.js';

const { getOutcode: operation, lookupPostcode: lookup } = operations;
const INCODE_CHARACTERS = 3;

export const getOutcode = (directories: DirectoryStore) =>
  bindJson(operation, ({ outcode }) => {
    const directory = directories.current();
    const rows = directory.rowsOfOutcode(outcode);
    if (rows === undefined) throw malformed(outcode);
    if (rows.from === rows.to) throw notInDirectory(`outcode ${rows.outcode}`, directory.info);
    return { result: directory.describeOutcode(rows) };
  });

/** What is wrong with a text that cannot be an outcode. */
function malformed(text: string): ServiceError {
  const [postcode] = keysWithSlips(text).map(postcodeOfKey);
  const must = `"outcode" must be the first half of a UK postcode such as "SW1A", but`;
  if (postcode === undefined) return new ServiceError('invalidRequest', `${must} is ${shownText(text)}.`);
  const outcode = postcode.slice(0, -INCODE_CHARACTERS).trimEnd();
  return new ServiceError(
    'invalidRequest',
    `${must} ${postcode} is a whole one. Send {"outcode": "${outcode}"}, or look the postcode up at ${lookup.method} ${lookup.path}.`,
  );
}
