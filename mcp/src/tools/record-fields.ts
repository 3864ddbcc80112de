import { INCLUDE_PARTS, type PostcodeRecord, postcodeRecord } from '@signpost/contract';
import { z } from 'zod';
import { partLines } from './describe-postcode.js';

const field = postcodeRecord.omit({ postcode: true, codes: true, areas: true, history: true }).keyof();

type Field = z.output<typeof field>;

/** What of each record of a list is wanted: a hundred whole ones are more than a model should read for one fact. */
export const fieldsArgument = z
  .array(field)
  .optional()
  .describe('Return only these fields of each record, or only the postcode for []. Unset: all that fit.');

type Fields = z.output<typeof fieldsArgument>;

/** What a list's record has for certain; its other fields would cost every model many words in each list of tools. */
export const listedRecord = z.looseObject({ postcode: z.string() });

/** What there is to say of a whole answer, for clients that hand on its fields alone. */
export const noteField = { note: z.string().optional() };

/** In a record whatever was asked of it. */
const ALWAYS: ReadonlySet<string> = new Set(['postcode', 'distanceMetres', ...INCLUDE_PARTS]);
/** In words the first two are in the postcode, and the last is said where it is false. */
const NOT_IN_WORDS: ReadonlySet<Field> = new Set(['outcode', 'incode', 'isActive']);

/**
 * The most characters of a list, in words and as fields together, where no fields were asked for. Four are a token, and
 * no model should get more than 10,000 tokens unasked; the rest is for what stands around the list.
 */
const MAX_LIST_CHARACTERS = 38_000;
/** A postcode in words and as a field, with what separates records; and the same of a distance. */
const POSTCODE_CHARACTERS = 36;
const DISTANCE_CHARACTERS = 35;

/** The fields of a long list, those first that are asked for most and not found by others. */
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

/** The fields that a list shows where none were asked for: all, or of a long list as many as fit. */
function fittingFields(records: readonly PostcodeRecord[]): readonly Field[] {
  const sumOf = (count: (record: PostcodeRecord) => number) =>
    records.reduce((sum, record) => sum + count(record), 0);
  let left =
    MAX_LIST_CHARACTERS -
    sumOf((record) => POSTCODE_CHARACTERS + ('distanceMetres' in record ? DISTANCE_CHARACTERS : 0));
  const fitting = BY_USE.filter((names) => {
    const characters = sumOf((record) => names.reduce((sum, name) => sum + charactersOf(record, name), 0));
    const fits = characters <= left;
    if (fits) left -= characters;
    return fits;
  }).flat();
  return field.options.filter((name) => fitting.includes(name));
}

/** The fields of a record that are wanted. */
function pickFields(record: PostcodeRecord, wanted: ReadonlySet<string>): z.output<typeof listedRecord> {
  const picked = Object.entries(record).filter(([name]) => ALWAYS.has(name) || wanted.has(name));
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

/** The records of a list, in words and as fields. */
interface ListedRecords {
  readonly results: z.output<typeof listedRecord>[];
  /** What the columns of the lines are, where they do not say so themselves. */
  readonly heading: string | undefined;
  /** One of each record, and more where it has parts. */
  readonly lines: readonly string[];
  /** What was left out, and how to get it. */
  readonly note: string | undefined;
}

/** A list of records with the fields that are wanted. */
export function listRecords(records: readonly PostcodeRecord[], fields: Fields): ListedRecords {
  const shown = fields ?? fittingFields(records);
  const wanted = new Set<string>(shown);
  const results = records.map((record) => pickFields(record, wanted));
  if (fields !== undefined) {
    const lines = records.map((record) => labelledLine(record, fields));
    return { results, heading: undefined, lines, note: undefined };
  }
  const columns = shown.filter((name) => !NOT_IN_WORDS.has(name));
  const leftOut = field.options.filter((name) => !wanted.has(name));
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
