import { validatePostcodeRequest, validatePostcodeResponse } from '@signpost/contract';
import { defineTool, READ_ONLY } from './tool.js';
import { structured } from './tool-result.js';

const SHOWN_CHARACTERS = 40;

export const validatePostcode = defineTool({
  name: 'validate_postcode',
  title: 'Validate a postcode',
  description:
    'Whether one UK postcode exists, exactly as written but for case and spaces; terminated ones count as existing. Answers yes or no and the canonical spelling; for its details use lookup_postcode.',
  annotations: READ_ONLY,
  input: validatePostcodeRequest,
  output: validatePostcodeResponse,
  async run(input, { backend, signal }) {
    const answer = await backend.call('validatePostcode', input, { signal });
    const { postcode, isValid } = answer;
    const shown = postcode.slice(0, SHOWN_CHARACTERS);
    return structured(
      isValid ? `Yes: ${shown} exists.` : `No: ${shown} is not a postcode that exists.`,
      answer,
    );
  },
});
