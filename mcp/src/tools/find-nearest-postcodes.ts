import { findNearestPostcodesRequest, findNearestPostcodesResponse } from '@signpost/contract';
import { postcodeLine } from './describe-postcode.js';
import { defineTool, READ_ONLY } from './tool.js';
import { structured } from './tool-result.js';

export const findNearestPostcodes = defineTool({
  name: 'find_nearest_postcodes',
  title: 'Find the nearest postcodes',
  description:
    'The active UK postcodes around a point, nearest first, each with its distance in metres and its record. To start from a postcode, look that up first and pass its coordinates.',
  annotations: READ_ONLY,
  input: findNearestPostcodesRequest,
  output: findNearestPostcodesResponse,
  async run(input, { backend, signal }) {
    const answer = await backend.call('findNearestPostcodes', input, { signal });
    const { results } = answer;
    const within = `within ${input.radiusMetres} m of ${input.latitude}, ${input.longitude}`;
    if (results.length === 0)
      return structured(
        `No active postcode ${within}. A larger radiusMetres (at most 20000) may find some.`,
        answer,
      );
    const more = results.length === input.limit ? ' There may be more: raise limit (at most 100).' : '';
    const lines = results.map((result) => `${result.distanceMetres} m  ${postcodeLine(result)}`);
    return structured(
      [`${results.length} postcodes ${within}, nearest first.${more}`, ...lines].join('\n'),
      answer,
    );
  },
});
