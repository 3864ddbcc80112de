import {
  formatCount,
  getOutcodeRequest,
  listAreaPostcodesRequest,
  type OutcodeRecord,
} from '@signpost/contract';
import { structured } from './tool-result.js';
import { defineTool, toolInfo } from './tool.js';

const line = (title: string, names: readonly string[]) =>
  names.length === 0 ? '' : `\n${title}: ${names.join(', ')}`;

/** All fields of an outcode, as text of several lines. */
function describeOutcode(record: OutcodeRecord): string {
  const { latitude, longitude, easting, northing } = record;
  return (
    `${record.outcode}: ${formatCount(record.activePostcodes, 'active postcode')}, ${record.terminatedPostcodes} terminated` +
    `\nMiddle: ${latitude === null || longitude === null ? 'no coordinates' : `${latitude}, ${longitude}`}` +
    (easting === null || northing === null ? '' : `\nEasting, northing: ${easting}, ${northing}`) +
    line('Countries', record.countries) +
    line('Regions', record.regions) +
    line('Local authorities', record.localAuthorities) +
    line('Wards', record.wards) +
    line('Constituencies', record.constituencies) +
    line('Police forces', record.policeForces) +
    line('Integrated care boards', record.icbs) +
    line('LSOAs', record.lsoas) +
    line('MSOAs', record.msoas)
  );
}

// The tools of this file have no output schema: its tokens would be in every list of tools.

export const getOutcode = defineTool({
  ...toolInfo('getOutcode'),
  input: getOutcodeRequest,
  async run(input, { backend, signal }) {
    const answer = await backend.call('getOutcode', input, { signal });
    return structured(describeOutcode(answer.result), answer);
  },
});

export const listAreaPostcodes = defineTool({
  ...toolInfo('listAreaPostcodes'),
  input: listAreaPostcodesRequest,
  async run(input, { backend, signal }) {
    const answer = await backend.call('listAreaPostcodes', input, { signal });
    const { area, postcodes, total } = answer;
    const { offset } = input;
    const code = area.code === null ? '' : ` (${area.code})`;
    const head = `${area.kind} ${area.name}${code} has ${formatCount(total, 'active postcode')}.`;
    if (postcodes.length === 0)
      return structured(total === 0 ? head : `${head} None come after offset ${offset}.`, answer);
    const end = offset + postcodes.length;
    const more = end < total ? ` Call again with offset ${end} for more.` : '';
    return structured(`${head} ${offset + 1} to ${end}: ${postcodes.join(', ')}.${more}`, answer);
  },
});
