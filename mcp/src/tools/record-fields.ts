import { INCLUDE_PARTS, type PostcodeRecord, postcodeRecord } from '@signpost/contract';
import { z } from 'zod';
import { partLines } from './describe-postcode.js';

const field = postcodeRecord.omit({ postcode: true, codes: true, areas: true, history: true }).keyof();

type Field = z.output<typeof field>;

/** The argument for the fields to return of each record of a list. */
export const fieldsArgument = z
  .array(field)
  .optional()
  .describe('Return only these fields of each record, or only the postcode for []. Unset: all that fit.');

type Fields = z.output<typeof fieldsArgument>;

/**
 * A record of a list. Declares only the field that every record has: declaring the others would cost every model many
 * tokens in each list of tools.
 */
export const listedRecord = z.looseObject({ postcode: z.string() });

/** A note about the whole result, for clients that pass on only the fields and not the text. */
export const noteField = { note: z.string().optional() };

/** The fields that a record keeps if it has them, whatever fields were requested. */
const ALWAYS: ReadonlySet<string> = new Set(['postcode', 'distanceMetres', 'index', ...INCLUDE_PARTS]);
/**
 * Fields that get no column in the text: the postcode contains the outcode and the incode, and isActive is shown only
 * if it is false, as "terminated".
 */
const NOT_IN_WORDS: ReadonlySet<Field> = new Set(['outcode', 'incode', 'isActive']);

/**
 * The maximum characters of a list, text and fields together, unless the caller chose the fields. Optional parts of
 * records are not counted. Leaves room for the text around the list: a token has about four characters, and a model
 * should not get more than 10,000 tokens without asking for them.
 */
export const MAX_LIST_CHARACTERS = 38_000;
/** How many characters a postcode takes in the text and as a field together, with separators. */
const POSTCODE_CHARACTERS = 36;
const DISTANCE_CHARACTERS = 35;

/**
 * The order in which groups of fields are added to a list. A group that does not fit is left out, even if a later one
 * fits.
 */
const BY_USE: readonly (readonly Field[])[] = [
  ['constituency'],
  ['localAuthority'],
  ['ward'],
  ['region'],
  ['policeForce'],
  ['icb'],
  ['isActive'],
  ['latitude', 'longitude'],
  ['country'],
  ['lsoa', 'msoa'],
  ['easting', 'northing'],
  ['outcode', 'incode'],
];

function charactersOf(record: PostcodeRecord, name: Field): number {
  const { length } = String(record[name]);
  const asField = `,"${name}":""`.length + length;
  return NOT_IN_WORDS.has(name) ? asField : asField + '; '.length + length;
}

/**
 * The fields that a list shows if the caller left out the argument `fields`: those of the groups in BY_USE that fit
 * into MAX_LIST_CHARACTERS.
 */
function fittingFields(records: readonly PostcodeRecord[]): readonly Field[] {
  const sumOf = (count: (record: PostcodeRecord) => number) =>
    records.reduce((sum, record) => sum + count(record), 0);
  let charactersLeft =
    MAX_LIST_CHARACTERS -
    sumOf((record) => POSTCODE_CHARACTERS + ('distanceMetres' in record ? DISTANCE_CHARACTERS : 0));
  const fitting = BY_USE.filter((names) => {
    const characters = sumOf((record) => names.reduce((sum, name) => sum + charactersOf(record, name), 0));
    const fits = characters <= charactersLeft;
    if (fits) charactersLeft -= characters;
    return fits;
  }).flat();
  return field.options.filter((name) => fitting.includes(name));
}

/** A record with only the requested fields and those in ALWAYS. */
function pickFields(record: PostcodeRecord, fieldNames: ReadonlySet<string>): z.output<typeof listedRecord> {
  const picked = Object.entries(record).filter(([name]) => ALWAYS.has(name) || fieldNames.has(name));
  return { ...Object.fromEntries(picked), postcode: record.postcode };
}

const labelledLine = (record: PostcodeRecord, fields: readonly Field[]) =>
  [
    record.postcode,
    ...fields.filter((name) => record[name] !== null).map((name) => `${name} ${record[name]}`),
  ].join('; ') + partLines(record);

const columnsLine = (record: PostcodeRecord, columns: readonly Field[]) =>
  [record.postcode, ...columns.map((name) => record[name] ?? '-')].join('; ') +
  (record.isActive ? '' : '; terminated') +
  partLines(record);

/** The records of a list, as text and as fields. */
interface ListedRecords {
  readonly results: z.output<typeof listedRecord>[];
  /**
   * The names of the columns in `lines`; undefined without records, or if the caller chose the fields, because each
   * line then names its fields.
   */
  readonly heading: string | undefined;
  /** One text for each record: a line, and more lines if the record has optional parts. */
  readonly lines: readonly string[];
  /**
   * Says which fields were left out because the list is long, and how to get them; undefined if none were, or if the
   * caller chose the fields.
   */
  readonly note: string | undefined;
}

/**
 * Lists records as text and as fields: with the fields that the caller chose or, if `fields` is undefined, with as many
 * as fit.
 */
export function listRecords(records: readonly PostcodeRecord[], fields: Fields): ListedRecords {
  const shownFields = fields ?? fittingFields(records);
  const fieldNames = new Set<string>(shownFields);
  const results = records.map((record) => pickFields(record, fieldNames));
  if (fields !== undefined) {
    const lines = records.map((record) => labelledLine(record, fields));
    return { results, heading: undefined, lines, note: undefined };
  }
  const columns = shownFields.filter((name) => !NOT_IN_WORDS.has(name));
  const leftOut = field.options.filter((name) => !fieldNames.has(name));
  return {
    results,
    heading: records.length === 0 ? undefined : ['postcode', ...columns].join('; '),
    lines: records.map((record) => columnsLine(record, columns)),
    note:
      leftOut.length === 0
        ? undefined
        : `Left out, as the list is long: ${leftOut.join(', ')}. To get them, name them in "fields", or ask for fewer postcodes at once.`,
  };
}
