import { lookupPostcodesRequest, lookupPostcodesResponse } from '@signpost/contract';
import { z } from 'zod';
import { postcodeLine } from './describe-postcode.js';
import { missingPostcodes } from './missing-postcodes.js';
import { defineTool, READ_ONLY } from './tool.js';
import { structured } from './tool-result.js';

export const lookupPostcodes = defineTool({
  name: 'lookup_postcodes',
  title: 'Look up many postcodes',
  description:
    'The same as lookup_postcode for 1 to 100 UK postcodes in one call, and which of them do not exist. Use it to check or enrich a list.',
  annotations: READ_ONLY,
  input: lookupPostcodesRequest,
  output: lookupPostcodesResponse.extend({ missing: z.array(z.string()) }),
  async run(input, { backend, signal, report }) {
    report(`Looking up ${input.postcodes.length} postcodes`);
    const answer = await backend.call('lookupPostcodes', input, { signal });
    report(`Found ${answer.found}`);
    const missing = missingPostcodes(input.postcodes, answer.results);
    const lines = [
      `${answer.found} of ${input.postcodes.length} found.`,
      ...answer.results.map(postcodeLine),
      ...(missing.length === 0 ? [] : [`No such postcode: ${missing.join(', ')}`]),
    ];
    return structured(lines.join('\n'), { ...answer, missing });
  },
});
