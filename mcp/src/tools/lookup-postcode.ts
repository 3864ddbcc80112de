import { LIMITS, lookupPostcodeRequest, lookupPostcodeResponse } from '@signpost/contract';
import { SignpostApiError } from '../client/signpost-api-error.js';
import { describePostcode } from './describe-postcode.js';
import { defineTool, toolInfo } from './tool.js';
import { failure, structured } from './tool-result.js';

const MIN_POSTCODE_CHARACTERS = 5;
const MAX_POSTCODE_CHARACTERS = 7;

const bareOf = (postcode: string) => postcode.toUpperCase().replace(/[^A-Z\d]/gu, '');

/** The outward half and the first of the inward, which the neighbours share: "SW1A 1" of "sw1a1aa". */
function beginningOf(postcode: string): string {
  const bare = bareOf(postcode).slice(0, MAX_POSTCODE_CHARACTERS);
  return bare.length < MIN_POSTCODE_CHARACTERS ? bare : `${bare.slice(0, -3)} ${bare.slice(-3, -2)}`;
}

/** Whether others may begin as this one that was refused does: it does not exist, or is no more than a beginning. */
function mayBegin(postcode: string, { status }: SignpostApiError): boolean {
  const { length } = bareOf(postcode);
  const isBeginning = length >= LIMITS.autocompletePartialCharacters.min && length < MIN_POSTCODE_CHARACTERS;
  return status === 404 || (status === 400 && isBeginning);
}

export const lookupPostcode = defineTool({
  ...toolInfo('lookupPostcode'),
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
