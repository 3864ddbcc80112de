import { lookupPostcodeRequest, lookupPostcodeResponse } from '@signpost/contract';
import { SignpostApiError } from '../signpost-api-error.js';
import { describePostcode } from './describe-postcode.js';
import { defineTool, READ_ONLY } from './tool.js';
import { failure, structured } from './tool-result.js';

/** The outward half and the first of the inward, which the neighbours share: "SW1A 1" of "sw1a1aa". */
function beginningOf(postcode: string): string {
  const bare = postcode
    .toUpperCase()
    .replace(/[^A-Z\d]/gu, '')
    .slice(0, 7);
  return bare.length < 5 ? bare : `${bare.slice(0, -3)} ${bare.slice(-3, -2)}`;
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
      if (!(error instanceof SignpostApiError) || error.status !== 404) throw error;
      return failure(
        `${error.message} Try autocomplete_postcode with "${beginningOf(input.postcode)}" to see which exist.`,
      );
    }
  },
});
