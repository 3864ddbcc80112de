import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationCall } from '../../shared/operation';
import { booleanOf, namesIn } from '../../shared/values';
import { BEFORE_BESIDE, putsResultBesideInput, SINCE_BESIDE } from '../../shared/versions';

/** The optional parts of a record. */
const PARTS = ['codes', 'areas', 'history'];

/** The fields of a simplified record. */
export const SIMPLE_FIELDS = [
  'postcode',
  'latitude',
  'longitude',
  'country',
  'region',
  'localAuthority',
  'ward',
  'constituency',
  'isActive',
  'distanceMetres',
];

/** The optional parts that an item requests. */
export const partsOf = ({ include }: IDataObject): string[] => {
  const included = namesIn(include);
  return PARTS.filter((part) => included.includes(part));
};

/** Returns the record without the optional parts that `parts` does not name. */
export const withParts = (record: IDataObject, parts: readonly string[]): IDataObject =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => !PARTS.includes(name) || parts.includes(name)),
  );

/** All fields of a record that the user can select, with their names in the editor. */
export const RECORD_FIELDS = new Map([
  ['constituency', 'Constituency'],
  ['country', 'Country'],
  ['distanceMetres', 'Distance (Metres)'],
  ['easting', 'Easting'],
  ['icb', 'ICB'],
  ['incode', 'Incode'],
  ['isActive', 'Is Active'],
  ['latitude', 'Latitude'],
  ['localAuthority', 'Local Authority'],
  ['longitude', 'Longitude'],
  ['lsoa', 'LSOA'],
  ['msoa', 'MSOA'],
  ['northing', 'Northing'],
  ['outcode', 'Outcode'],
  ['policeForce', 'Police Force'],
  ['postcode', 'Postcode'],
  ['region', 'Region'],
  ['ward', 'Ward'],
]);

const DEFAULT_FIELDS = ['postcode', 'localAuthority', 'ward', 'constituency'];

const simplifyParameter: INodeProperties = {
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
  displayOptions: { show: BEFORE_BESIDE },
};

/** The parameters for how much of each record to return, in newer versions of the node. */
export const recordParametersSince: readonly INodeProperties[] = [
  {
    displayName: 'Output',
    name: 'recordOutput',
    type: 'options',
    options: [
      { name: 'Raw', value: 'raw', description: 'All fields of the record' },
      { name: 'Selected Fields', value: 'fields', description: 'The fields that you choose' },
      { name: 'Simplified', value: 'simplified', description: 'The fields that are used most' },
    ],
    default: 'simplified',
    description: 'How much of the record to return. What Options > Include adds is always there.',
    displayOptions: { show: SINCE_BESIDE },
  },
  {
    displayName: 'Fields',
    name: 'recordFields',
    type: 'multiOptions',
    options: [...RECORD_FIELDS].map(([value, name]) => ({ name, value })),
    default: ['postcode', 'localAuthority', 'ward', 'constituency'],
    description: 'The fields of the record to add to the item',
    displayOptions: { show: { ...SINCE_BESIDE, recordOutput: ['fields'] } },
  },
];

/** The parameters for how much of each record to return, in all versions of the node. */
export const recordParameters: readonly INodeProperties[] = [simplifyParameter, ...recordParametersSince];

/** The names of the fields to show; undefined for all. */
function shownFields({ context, itemIndex }: OperationCall): readonly string[] | undefined {
  if (!putsResultBesideInput(context.getNode()))
    return (booleanOf(context.getNodeParameter('simplify', itemIndex, true)) ?? true)
      ? SIMPLE_FIELDS
      : undefined;
  const output = context.getNodeParameter('recordOutput', itemIndex, 'simplified');
  if (output === 'raw') return undefined;
  if (output !== 'fields') return SIMPLE_FIELDS;
  return namesIn(context.getNodeParameter('recordFields', itemIndex, DEFAULT_FIELDS));
}

/**
 * The record as the user chose: all fields, those of SIMPLE_FIELDS, or selected ones. Its optional parts are always
 * shown.
 */
export function shownRecord(call: OperationCall, record: IDataObject): IDataObject {
  const shown = shownFields(call);
  if (shown === undefined) return record;
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => shown.includes(name) || PARTS.includes(name)),
  );
}

/** The output for a missing record. Its postcode is left out if the user did not select that field. */
export function shownMissing(call: OperationCall, missing: IDataObject): IDataObject {
  const { postcode, ...others } = missing;
  const isSelected = shownFields(call)?.includes('postcode') ?? true;
  return isSelected && postcode !== undefined ? { postcode, ...others } : others;
}

export const splitParameter: INodeProperties = {
  displayName: 'Return One Item per Result',
  name: 'oneItemPerResult',
  type: 'boolean',
  default: true,
  description:
    'Whether to return each postcode as an item of its own instead of one item with the whole list',
};

export const wantsOneItemPerResult = ({ context, itemIndex }: OperationCall): boolean =>
  booleanOf(context.getNodeParameter('oneItemPerResult', itemIndex, true)) ?? true;
