import type { PostcodeRecord } from '@signpost/contract';

const COORDINATE_DIGITS = 5;

type Labels = Readonly<Record<keyof PostcodeRecord, string>>;

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

function words(name: string, value: string | number | boolean | null, unit = ''): string {
  if (value === null) return 'not known';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No, terminated';
  if (typeof value === 'string') return value;
  const digits = name === 'latitude' || name === 'longitude' ? COORDINATE_DIGITS : 0;
  return `${value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit}`;
}

const isFieldName = (name: string): name is keyof PostcodeRecord => Object.hasOwn(LABELS, name);
const NAMES = Object.keys(LABELS).filter(isFieldName);

/** Everything that is known of a postcode. */
export function RecordFacts({ record }: { readonly record: PostcodeRecord }) {
  return (
    <dl class="facts">
      {NAMES.map((name) => [
        <dt key={`${name}-name`}>{LABELS[name]}</dt>,
        <dd key={name} class={record[name] === null ? 'muted' : undefined}>
          {words(name, record[name], UNITS[name])}
        </dd>,
      ])}
    </dl>
  );
}
