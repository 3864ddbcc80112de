import {
  AREA_FIELDS,
  CODED_AREA_FIELDS,
  INCLUDE_PARTS,
  type IncludePart,
  OLD_AREA_FIELDS,
  postcodeAreas,
  postcodeCodes,
  postcodeHistory,
  type PostcodeRecord,
} from '@signpost/contract';
import type { PlacedColumn } from './table/detail-columns.js';
import { detailNumber, type Details, monthText, numberOrNull } from './table/details.js';
import { byNameColumn } from './table/directory-data.js';
import { crownDependencyOf } from './table/crown-dependencies.js';
import { EASTING, NORTHING, type PackedDirectory } from './table/packed-directory.js';
import { gridReferenceOf } from './table/national-grid.js';
import { outcodeOfKey, outcodeText } from './table/postcode-key.js';
import { smallAreaText } from './table/small-area-code.js';

/**
 * The area fields that records of the directory can have, in order. Fields of old areas are left out if the directory
 * has no column for them.
 */
export const areaFieldsOf = (details: Details | undefined) =>
  AREA_FIELDS.filter(
    (field) =>
      !OLD_AREA_FIELDS.includes(field) || details?.columns.some((column) => column.field === field) === true,
  );

function valueOf(details: Details, bytes: DataView, column: PlacedColumn): string | number | null {
  const number = detailNumber(bytes, column);
  switch (column.kind) {
    case 'smallArea':
      return smallAreaText(number, details.otherCodes);
    case 'month':
      return monthText(number);
    case 'number':
      return numberOrNull(number);
    case 'name':
      return details.names[details.columns.indexOf(column)]?.[number] ?? null;
  }
}

/**
 * Pairs of each field and its value in a row; the value is null if the row has none, or the directory has no such
 * column.
 */
function valuesOf(details: Details | undefined, row: number, fields: readonly string[]) {
  const bytes = details?.row(row);
  const columns = new Map<string, PlacedColumn>(details?.columns.map((column) => [column.field, column]));
  return fields.map((field) => {
    const column = columns.get(field);
    const value =
      details === undefined || bytes === undefined || column === undefined
        ? null
        : valueOf(details, bytes, column);
    return [field, value] as const;
  });
}

/** Each of CODED_AREA_FIELDS with its code in a row; null if the row or the whole directory has none. */
function codesOf(details: Details | undefined, row: number) {
  const bytes = details?.row(row);
  return CODED_AREA_FIELDS.map((field) => {
    const index = details?.columns.findIndex((column) => column.field === field) ?? -1;
    const column = details?.columns[index];
    const number = bytes === undefined || column === undefined ? 0 : detailNumber(bytes, column);
    return [field, details?.codes?.[index]?.[number] ?? null] as const;
  });
}

/**
 * The requested optional parts of a row, in the order of the contract; each is null if the directory has no area codes,
 * as in files of an old format.
 */
export function includedOf(
  table: PackedDirectory,
  row: number,
  include: readonly IncludePart[],
): Pick<PostcodeRecord, IncludePart> {
  const { areaCodes, details, keys, rows } = table;
  const parts = {
    codes: () =>
      areaCodes === undefined
        ? null
        : postcodeCodes.parse({
            ...byNameColumn((column) => areaCodes[column][rows.code(row, rows.names[column])] ?? null),
            ...Object.fromEntries(codesOf(details, row)),
          }),
    areas: () => {
      if (areaCodes === undefined) return null;
      const grid = [rows.coordinate(row, EASTING), rows.coordinate(row, NORTHING)] as const;
      return postcodeAreas.parse({
        ...Object.fromEntries(valuesOf(details, row, areaFieldsOf(details))),
        gridReference: gridReferenceOf(keys[row] ?? 0, ...grid),
        crownDependency: crownDependencyOf(outcodeText(outcodeOfKey(keys[row] ?? 0))),
      });
    },
    history: () =>
      areaCodes === undefined
        ? null
        : postcodeHistory.parse(Object.fromEntries(valuesOf(details, row, postcodeHistory.keyof().options))),
  };
  return Object.fromEntries(
    INCLUDE_PARTS.filter((part) => include.includes(part)).map((part) => [part, parts[part]()]),
  );
}
