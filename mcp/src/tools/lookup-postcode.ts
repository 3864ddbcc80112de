import { LIMITS, lookupPostcodeRequest, lookupPostcodeResponse } from '@signpost/contract';
import { SignpostApiError } from '../signpost-api-error.js';
import { describePostcode } from './describe-postcode.js';
import { defineTool, READ_ONLY } from './tool.js';
import { failure, structured } from './tool-result.js';

const SHORTEST_POSTCODE = 5;
const LONGEST_POSTCODE = 7;

const bareOf = (postcode: string) => postcode.toUpperCase().replace(/[^A-Z\d]/gu, '');

/** The outward half and the first of the inward, which the neighbours share: "SW1A 1" of "sw1a1aa". */
function beginningOf(postcode: string): string {
  const bare = bareOf(postcode).slice(0, LONGEST_POSTCODE);
  return bare.length < SHORTEST_POSTCODE ? bare : `${bare.slice(0, -3)} ${bare.slice(-3, -2)}`;
}

/** Whether others may begin as this one that was refused does: it does not exist, or is no more than a beginning. */
function mayBegin(postcode: string, { status }: SignpostApiError): boolean {
  const { length } = bareOf(postcode);
  const isBeginning = length >= LIMITS.autocompletePartialCharacters.min && length < SHORTEST_POSTCODE;
  return status === 404 || (status === 400 && isBeginning);
}

export const lookupPostcode = defineTool({
  name: 'lookup_postcode',
  title: 'Look up a postcode',
  description:
    'Everything the UK directory knows of one postcode: country, region, local authority, ward, constituency, police force, NHS care board, LSOA, MSOA, coordinates, and whether it is still active. For several postcodes use lookup_postcodes.',
  annotations: READ_ONLY,
  input: lookupPostcodeRequest,
  output: lookupPostcodeResponse,
  async run(input, { backend, signal }) {
    try {
      const answer = await backend.call('lookupPostcode', input, { signal });
      return structured(describePostcode(answer.result), answer);
    } catch (error) {
      if (!(error instanceof SignpostApiError) || !mayBegin(input.postcode, error)) throw error;
      return failure(
        `${error.message} Try autocomplete_postcode with "${beginningOf(input.postcode)}" to see which exist.`,
      );
    }
  },
});
