import { operations } from '@signpost/contract';
import type { PostcodeDirectory } from '../postcodes/directory.js';
import type { DirectoryStore } from '../postcodes/directory-store.js';
import { keysWithSlips, outcodeOfText, postcodeOfKey } from '../postcodes/table/normalise-postcode.js';
import { ServiceError } from '../platform/errors.js';
import type { CurrentRecordWriter } from '../postcodes/wire/record-writer.js';
import { bindWritten } from './operation-handler.js';

const SHOWN_CHARACTERS = 20;

const { autocompletePostcode: autocomplete, lookupPostcode: operation } = operations;

const sampleHint =
  ' This server has only the sample directory; its operator imports the whole one with "signpost postcodes import latest".';

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
  const hint = directory.info.isSample ? sampleHint : '';
  throw new ServiceError('notFound', `There is no postcode ${canonical} in the directory.${hint}`);
}

/** What is wrong with a text that cannot be a postcode. */
function malformed(text: string): ServiceError {
  const outcode = outcodeOfText(text);
  const shown = JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
  return new ServiceError(
    'invalidRequest',
    outcode === undefined
      ? `"postcode" must be a UK postcode such as "SW1A 1AA", but is ${shown}.`
      : `"postcode" must be a whole UK postcode such as "SW1A 1AA", but ${outcode} is an outcode, the first half of one. Its postcodes are at ${autocomplete.method} ${autocomplete.path} with {"partial": "${outcode} "}.`,
  );
}
