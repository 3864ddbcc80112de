import { autocompletePostcodeRequest, autocompletePostcodeResponse } from '@signpost/contract';
import { defineTool, READ_ONLY } from './tool.js';
import { structured } from './tool-result.js';

export const autocompletePostcode = defineTool({
  name: 'autocomplete_postcode',
  title: 'Autocomplete a postcode',
  description:
    'The active UK postcodes that begin with some characters, such as "SW1A 1" or an outcode. Use it when a postcode is incomplete or was not found.',
  annotations: READ_ONLY,
  input: autocompletePostcodeRequest,
  output: autocompletePostcodeResponse,
  async run(input, { backend, signal }) {
    const answer = await backend.call('autocompletePostcode', input, { signal });
    const { postcodes } = answer;
    if (postcodes.length === 0)
      return structured('No active postcode begins so. Try fewer characters, at least 2.', answer);
    const more = postcodes.length === input.limit ? ' There may be more: raise limit (at most 100).' : '';
    return structured(`${postcodes.length} begin so: ${postcodes.join(', ')}.${more}`, answer);
  },
});
