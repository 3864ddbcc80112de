import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationCall } from '../../shared/operation';

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

/** The parts that an item asks for. */
export const partsOf = ({ include }: IDataObject): string[] =>
  Array.isArray(include) ? PARTS.filter((part) => include.some((asked) => asked === part)) : [];

/** A record without the parts that only other items requested. */
export const withParts = (record: IDataObject, parts: readonly string[]): IDataObject =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => !PARTS.includes(name) || parts.includes(name)),
  );

export const simplifyParameter: INodeProperties = {
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The record as the user chose: all fields, or the most used ones. */
export function shownRecord({ context, itemIndex }: OperationCall, record: IDataObject): IDataObject {
  if (context.getNodeParameter('simplify', itemIndex, true) !== true) return record;
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => SIMPLE_FIELDS.includes(name) || PARTS.includes(name)),
  );
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
  context.getNodeParameter('oneItemPerResult', itemIndex, true) === true;
