import {
  INCLUDE_PARTS,
  type IncludePart,
  type NearestPostcode,
  type PostcodeRecord,
} from '@signpost/contract';
import { formatDistance } from '../layout/formatting.js';
import { CountryMap } from '../map/country-map.js';
import { LocalMap, type LocalPoint } from '../map/local-map.js';
import type { Nearest, PostcodeLookup } from './postcode-lookup.js';

/** The nearest postcodes with the numbers that they have on the map. */
function NearestTable({ results }: { readonly results: readonly NearestPostcode[] }) {
  return (
    <div class="table" tabindex={0} role="region" aria-label="The nearest active postcodes">
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">
              No.
            </th>
            <th scope="col">Postcode</th>
            <th scope="col" class="number">
              Distance
            </th>
            <th scope="col">Ward</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ postcode, distanceMetres, ward }, index) => (
            <tr key={postcode}>
              <td class="number">{index + 1}</td>
              <th scope="row" class="nowrap">
                {postcode}
              </th>
              <td class="number nowrap">{formatDistance(distanceMetres)}</td>
              <td>{ward ?? <span class="muted">not known</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const COORDINATE_DIGITS = 5;

type OwnField = Exclude<keyof PostcodeRecord, IncludePart>;
type Labels = Readonly<Record<OwnField, string>>;

const LABELS: Labels = {
  postcode: 'Postcode',
  isActive: 'In use',
  outcode: 'Outward code',
  incode: 'Inward code',
  latitude: 'Latitude',
  longitude: 'Longitude',
  easting: 'Easting',
  northing: 'Northing',
  country: 'Country',
  region: 'Region',
  localAuthority: 'Local authority',
  ward: 'Ward',
  constituency: 'Constituency',
  lsoa: 'Lower layer area (LSOA)',
  msoa: 'Middle layer area (MSOA)',
  policeForce: 'Police force',
  icb: 'Integrated care board',
};

const UNITS: Partial<Labels> = { latitude: '°', longitude: '°', easting: ' m', northing: ' m' };

function formatFact(name: string, value: string | number | boolean | null, unit = ''): string {
  if (value === null) return 'not known';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No, terminated';
  if (typeof value === 'string') return value;
  const digits = name === 'latitude' || name === 'longitude' ? COORDINATE_DIGITS : 0;
  return `${value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit}`;
}

const isFieldName = (name: string): name is OwnField => Object.hasOwn(LABELS, name);
const NAMES = Object.keys(LABELS).filter(isFieldName);

/** Everything that is known of a postcode. */
function RecordFacts({ record }: { readonly record: PostcodeRecord }) {
  return (
    <dl class="facts">
      {NAMES.map((name) => [
        <dt key={`${name}-name`}>{LABELS[name]}</dt>,
        <dd key={name} class={record[name] === null ? 'muted' : undefined}>
          {formatFact(name, record[name], UNITS[name])}
        </dd>,
      ])}
    </dl>
  );
}

const PART_TITLES: Readonly<Record<IncludePart, string>> = {
  codes: 'Codes',
  areas: 'All other areas',
  history: 'History',
};

/** "travelToWorkArea" as "Travel to work area". */
const wordsOf = (name: string) =>
  name
    .replace(/[A-Z]|\d+/gu, (part) => ` ${part.toLowerCase()}`)
    .replace(/^./u, (first) => first.toUpperCase());

/** A part that was asked for, folded up. */
function PartFacts({ record, part }: { readonly record: PostcodeRecord; readonly part: IncludePart }) {
  const facts = record[part];
  if (facts === undefined) return null;
  return (
    <details>
      <summary>{PART_TITLES[part]}</summary>
      {facts === null ? (
        <p class="muted">
          This directory was imported by an older version; once it is imported again they are there.
        </p>
      ) : (
        <dl class="facts">
          {Object.entries(facts).map(([name, value = null]) => [
            <dt key={`${name}-name`}>{wordsOf(name)}</dt>,
            <dd key={name} class={value === null ? 'muted' : undefined}>
              {formatFact(name, value)}
            </dd>,
          ])}
        </dl>
      )}
    </details>
  );
}

function Place({ record }: { readonly record: PostcodeRecord }) {
  const { postcode, latitude, longitude, localAuthority, region, country } = record;
  const whereabouts = [localAuthority, region, country].filter((name) => name !== null).join(', ');
  return (
    <div class="place">
      <div>
        <h3 id="found">{postcode}</h3>
        {record.isActive ? null : (
          <p class="notice">This postcode is terminated: Royal Mail no longer delivers to it.</p>
        )}
        <RecordFacts record={record} />
        {INCLUDE_PARTS.map((part) => (
          <PartFacts key={part} record={record} part={part} />
        ))}
      </div>
      {latitude === null || longitude === null ? (
        <p class="muted">The directory has no coordinates for it, so there is no map.</p>
      ) : (
        <CountryMap
          label={postcode}
          latitude={latitude}
          longitude={longitude}
          whereabouts={whereabouts === '' ? 'its area is not known' : whereabouts}
        />
      )}
    </div>
  );
}

/** Every postcode of the list has coordinates, or it could not be the nearest to anything. */
const pointsOf = ({ results }: Nearest): readonly LocalPoint[] =>
  results.map(({ latitude, longitude, distanceMetres }) => ({
    latitude: latitude ?? 0,
    longitude: longitude ?? 0,
    distanceMetres,
  }));

function Around({ postcode, nearest }: { readonly postcode: string; readonly nearest: Nearest }) {
  const { latitude, longitude, radiusMetres, results } = nearest;
  return (
    <div class="nearest">
      <h3>The nearest postcodes</h3>
      <p>
        {results.length === 0
          ? `There is no active postcode within ${formatDistance(radiusMetres)}.`
          : `Active postcodes within ${formatDistance(radiusMetres)} of ${postcode}, nearest first: ${results.length} found.`}
      </p>
      <LocalMap
        label={postcode}
        latitude={latitude}
        longitude={longitude}
        radiusMetres={radiusMetres}
        points={pointsOf(nearest)}
      />
      {results.length === 0 ? null : <NearestTable results={results} />}
    </div>
  );
}

/** What looking a postcode up brought: facts, the two maps and the table. */
export function PostcodeResult({ lookup }: { readonly lookup: PostcodeLookup }) {
  const { record, nearest } = lookup;
  if (record === undefined) return null;
  return (
    <div class="looked-up">
      <Place record={record} />
      {nearest === undefined ? null : <Around postcode={record.postcode} nearest={nearest} />}
    </div>
  );
}
