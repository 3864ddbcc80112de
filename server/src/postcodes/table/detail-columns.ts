import type { AreaField, PostcodeHistory } from '@signpost/contract';

/** The fields of a record whose columns are not kept in memory. */
export type DetailField = Exclude<AreaField, 'gridReference' | 'crownDependency'> | keyof PostcodeHistory;

/**
 * How a column is stored in a row: `name` as an index into the column's names; `smallArea` as the code itself, because
 * there are too many small areas for a list; `number`; or `month`.
 */
export type DetailKind = 'name' | 'smallArea' | 'number' | 'month';

interface DetailColumn {
  readonly field: DetailField;
  readonly kind: DetailKind;
  /**
   * The titles of the column in editions and in tables of names, without year, "cd" and "ind". If an edition has
   * several such columns, each row uses the first that is not blank; of those with the same title, the newest is first.
   */
  readonly titles: readonly string[];
  /** If set, only the column of this year is used. */
  readonly year?: number;
  /** Codes that mean that there is no value in this column, besides those that mean it in any column. */
  readonly none?: readonly string[];
}

const name = (field: DetailField, ...titles: string[]): DetailColumn => ({ field, kind: 'name', titles });
const small = (field: DetailField, title: string): DetailColumn => ({
  field,
  kind: 'smallArea',
  titles: [title],
});
const NO_CLASS = ['Z9', '9Z9'];
const NO_WARD = ['99ZZ00', '99ZZ99'];
const RURAL_URBAN = { ...name('ruralUrban', 'ruc', 'ru', 'ur'), none: NO_CLASS };

/** The columns beyond the record's own, in the order in which a row has them. */
export const DETAIL_COLUMNS: readonly DetailColumn[] = [
  name('county', 'cty', 'oscty'),
  name('civilParish', 'parncp', 'parish', 'par'),
  name('electoralDivision', 'ced'),
  name('itl', 'itl', 'nuts', 'lau1', 'lau2'),
  { ...small('outputArea', 'oa'), titles: ['oa', 'oacode'] },
  { ...small('outputArea2011', 'oa'), year: 2011 },
  { ...small('outputArea2001', 'oa'), year: 2001 },
  { ...small('lsoa2011', 'lsoa'), year: 2011 },
  { ...small('lsoa2001', 'lsoa'), year: 2001 },
  { ...small('msoa2011', 'msoa'), year: 2011 },
  { ...small('msoa2001', 'msoa'), year: 2001 },
  small('workplaceZone', 'wz'),
  name('builtUpArea', 'bua'),
  name('builtUpAreaSubdivision', 'buasd'),
  RURAL_URBAN,
  { ...RURAL_URBAN, field: 'ruralUrban2011', year: 2011 },
  { ...RURAL_URBAN, field: 'ruralUrban2001', year: 2001, none: [...NO_CLASS, '9'] },
  { ...name('outputAreaClass', 'oac'), none: NO_CLASS },
  { ...name('outputAreaClass2001', 'oac'), year: 2001, none: NO_CLASS },
  name('travelToWorkArea', 'ttwa'),
  name('nationalPark', 'npark', 'park'),
  name('subIcb', 'sicbl', 'ccg'),
  name('cancerAlliance', 'cal', 'calncv'),
  name('nhsRegion', 'nhser', 'hro'),
  name('healthAuthority', 'hlth', 'oshlthau', 'hlthau'),
  name('primaryCareTrust', 'pct', 'pco'),
  name('localEnterprisePartnership', 'lep1', 'lep'),
  name('localEnterprisePartnership2', 'lep2'),
  name('europeanRegion', 'eer'),
  { ...name('standardRegion', 'ssr', 'streg'), none: ['0'] },
  name('skillsRegion', 'educ', 'teclec'),
  { ...name('statisticalWard', 'wdstl', 'statsward'), none: NO_WARD },
  { ...name('censusWard', 'wdcas', 'casward'), none: NO_WARD },
  name('userType', 'usrtyp', 'usertype'),
  { field: 'deprivationRank', kind: 'number', titles: ['imd'] },
  { field: 'introduced', kind: 'month', titles: ['dointr'] },
  { field: 'terminated', kind: 'month', titles: ['doterm'] },
  { field: 'positionalQuality', kind: 'number', titles: ['grid', 'osgrd'] },
  small('enumerationDistrict1991', 'cened'),
  small('pseudoEnumerationDistrict1991', 'psed'),
  name('enumerationDistrictIndicator', 'ed'),
  name('censusWard1991', 'wardc'),
  name('ward1991', 'wardo'),
  { ...name('ward1998', 'ward'), year: 1998 },
  name('educationAuthority', 'lea'),
  name('previousHealthAuthority', 'oshaprev'),
  name('oldHealthAuthority', 'oldha'),
  name('oldPrimaryCareTrust', 'oldpct'),
];

const byField = new Map<string, DetailColumn>(DETAIL_COLUMNS.map((column) => [column.field, column]));

/** The column of a field. Throws a RangeError if the details have no such field. */
export function detailColumn(field: string): DetailColumn {
  const column = byField.get(field);
  if (column === undefined) throw new RangeError(`${field} is no column of details`);
  return column;
}

/** The names of the types of users, which no table of names has. */
export const USER_TYPES: Readonly<Record<string, string>> = { '0': 'small', '1': 'large' };

const SMALL_AREA_BYTES = 4;
const OTHER_BYTES = 2;
/** Each row ends with the CRC-32 of the bytes before it. */
export const ROW_CHECKSUM_BYTES = 4;

export interface PlacedColumn {
  readonly field: DetailField;
  readonly kind: DetailKind;
  /** The offset from the beginning of the row, in bytes. */
  readonly offset: number;
}

/** The positions of the columns in a row, in order. All rows have the same length. */
export function detailLayout(fields: readonly DetailField[]): {
  readonly columns: readonly PlacedColumn[];
  readonly rowBytes: number;
} {
  let offset = 0;
  const columns = fields.map((field) => {
    const { kind } = detailColumn(field);
    const placed = { field, kind, offset };
    offset += kind === 'smallArea' ? SMALL_AREA_BYTES : OTHER_BYTES;
    return placed;
  });
  return { columns, rowBytes: offset + ROW_CHECKSUM_BYTES };
}
