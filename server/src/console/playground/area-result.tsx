import type { OutcodeRecord } from '@signpost/contract';
import { CountryMap } from '../map/country-map.js';
import { PlacesMap } from './mapped-places.js';
import { AREA_LABELS, type AreaFound } from './area-lookup.js';

const formatCount = (count: number) => count.toLocaleString('en-GB');

/** The areas of an outcode, by what they are called. */
const areasOf = (record: OutcodeRecord): readonly (readonly [string, readonly string[]])[] => [
  ['Countries', record.countries],
  ['Regions', record.regions],
  ['Local authorities', record.localAuthorities],
  ['Wards', record.wards],
  ['Constituencies', record.constituencies],
  ['Police forces', record.policeForces],
  ['Integrated care boards', record.icbs],
  ['Lower layer areas (LSOA)', record.lsoas],
  ['Middle layer areas (MSOA)', record.msoas],
];

function Outcode({ record }: { readonly record: OutcodeRecord }) {
  const { outcode, latitude, longitude, localAuthorities } = record;
  return (
    <div class="place">
      <div>
        <h3>{outcode}</h3>
        <p>
          {`${formatCount(record.activePostcodes)} active postcodes, ${formatCount(record.terminatedPostcodes)} terminated.`}
        </p>
        <dl class="facts">
          {areasOf(record).map(([title, names]) => [
            <dt key={`${title}-name`}>{title}</dt>,
            <dd key={title} class={names.length === 0 ? 'muted' : undefined}>
              {names.length === 0 ? 'not known' : names.join(', ')}
            </dd>,
          ])}
        </dl>
      </div>
      {latitude === null || longitude === null ? (
        <p class="muted">No active postcode of it has coordinates, so there is no map.</p>
      ) : (
        <CountryMap
          label={outcode}
          latitude={latitude}
          longitude={longitude}
          whereabouts={localAuthorities.join(', ') || 'its area is not known'}
        />
      )}
    </div>
  );
}

function AreaList({ list, offset, points }: Extract<AreaFound, { list: unknown }>) {
  const { area, total, postcodes } = list;
  const what = `${AREA_LABELS[area.kind]}${area.code === null ? '' : ` ${area.code}`}`;
  const shown =
    postcodes.length === 0
      ? 'None of them is here.'
      : `Here are ${formatCount(offset + 1)} to ${formatCount(offset + postcodes.length)}.`;
  return (
    <div class="place">
      <div>
        <h3>{area.name}</h3>
        <p>{`${what}: ${formatCount(total)} active postcodes. ${shown}`}</p>
        <p>{postcodes.join(', ')}</p>
      </div>
      <PlacesMap points={points} />
    </div>
  );
}

/** What looking an outcode or an area up brought. */
export function AreaResult({ found }: { readonly found: AreaFound }) {
  return (
    <div class="looked-up">
      {'outcode' in found ? <Outcode record={found.outcode} /> : <AreaList {...found} />}
    </div>
  );
}
