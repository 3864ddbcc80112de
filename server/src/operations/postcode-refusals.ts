import type { DirectoryInfo } from '../postcodes/table/directory-data.js';
import { ServiceError } from '../platform/errors.js';

const SHOWN_CHARACTERS = 20;

const sampleHint =
  ' This server has only the sample directory; its operator imports the whole one with "signpost postcodes import latest".';

/** The beginning of a text as it was sent, in quotes. */
export const shownText = (text: string, maxCharacters = SHOWN_CHARACTERS): string =>
  JSON.stringify(text.slice(0, maxCharacters));

/** The refusal of what the directory does not have, such as "postcode SW1A 1AA". */
export const notInDirectory = (what: string, { isSample }: Pick<DirectoryInfo, 'isSample'>) =>
  new ServiceError('notFound', `There is no ${what} in the directory.${isSample ? sampleHint : ''}`);
