import { operations } from '@signpost/contract';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { keysWithSlips, outcodeOfText, postcodeOfKey } from '../postcodes/table/normalise-postcode.js';
import { ServiceError } from '../platform/errors.js';
import type { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import { bindWritten } from './operation-handler.js';
import { notInDirectory, shownText } from './postcode-refusals.js';

const { autocompletePostcode: autocomplete, getOutcode, lookupPostcode: operation } = operations;

export const lookupPostcode = (directories: DirectoryStore, writer: CurrentRecordWriter) =>
  bindWritten(
    operation,
    ({ postcode }) => {
      const directory = directories.current();
      return { result: directory.record(rowIn(directory, postcode)) };
    },
    ({ postcode }) => {
      const directory = directories.current();
      return writer.of(directory.table).lookup(rowIn(directory, postcode));
    },
  );

/** The row of a postcode; throws a ServiceError where there is none. */
function rowIn(directory: PostcodeDirectory, postcode: string): number {
  const row = directory.rowOf(postcode);
  if (row === 'malformed') throw malformed(postcode);
  if (row !== undefined) return row;
  const [canonical = ''] = keysWithSlips(postcode).map(postcodeOfKey);
  throw notInDirectory(`postcode ${canonical}`, directory.info);
}

/** What is wrong with a text that cannot be a postcode. */
function malformed(text: string): ServiceError {
  const outcode = outcodeOfText(text);
  return new ServiceError(
    'invalidRequest',
    outcode === undefined
      ? `"postcode" must be a UK postcode such as "SW1A 1AA", but is ${shownText(text)}.`
      : `"postcode" must be a whole UK postcode such as "SW1A 1AA", but ${outcode} is an outcode, the first half of one. Ask for it at ${getOutcode.method} ${getOutcode.path} with {"outcode": "${outcode}"}, for its postcodes at ${autocomplete.method} ${autocomplete.path} with {"partial": "${outcode} "}.`,
  );
}
