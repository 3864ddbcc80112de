import { INCLUDE_PARTS, type IncludePart, type PostcodeRecord } from '@signpost/contract';

const position = ({ latitude, longitude }: PostcodeRecord) =>
  latitude === null || longitude === null ? 'no coordinates' : `${latitude}, ${longitude}`;

const line = (name: string, value: string | null) => (value === null ? '' : `\n${name}: ${value}`);

/**
 * An optional part of a record as one line, after a line break, without unknown values; empty if the part is undefined.
 * If the part is null, the line says that the directory has to be imported again.
 */
function partLine(record: PostcodeRecord, part: IncludePart): string {
  const facts = record[part];
  if (facts === undefined) return '';
  if (facts === null) return `\n${part}: not in this server's directory until it is imported again`;
  const known = Object.entries(facts).filter(([, value = null]) => value !== null);
  return `\n${part}: ${known.map(([name, value]) => `${name} ${value}`).join(', ')}`;
}

/** The optional parts of a record, one per line. */
export const partLines = (record: PostcodeRecord) =>
  INCLUDE_PARTS.map((part) => partLine(record, part)).join('');

/** A whole postcode record as text of several lines, for models that see only the text. */
export function describePostcode(record: PostcodeRecord): string {
  const { easting, northing } = record;
  return (
    `${record.postcode} (${record.isActive ? 'active' : 'terminated'})` +
    line('Country', record.country) +
    line('Region', record.region) +
    line('Local authority', record.localAuthority) +
    line('Ward', record.ward) +
    line('Constituency', record.constituency) +
    line('Police force', record.policeForce) +
    line('Integrated care board', record.icb) +
    line('LSOA', record.lsoa) +
    line('MSOA', record.msoa) +
    line('Latitude, longitude', position(record)) +
    line('Easting, northing', easting === null || northing === null ? null : `${easting}, ${northing}`) +
    partLines(record)
  );
}
